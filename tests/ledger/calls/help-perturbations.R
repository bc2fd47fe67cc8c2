perturb_dropout(0.1) + perturb_rescale(0.2)

# --

drop <- perturb_custom(function(values, u) values * (u >= 0.1) / 0.9)

# --

some <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

margin_augmented(type ~ ., data = some, perturbation = drop, lambda = 0.1)
