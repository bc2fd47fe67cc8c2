train <- seq(1, nrow(spambase), by = 2)

# --

test <- spambase[-train, ]

# --

fit <- margin_augmented(type ~ ., data = spambase[train, ],
                        perturbation = perturb_dropout(0.2), lambda = 0.01)

# --

fit

# --

mean(predict(fit, test) == test$type)

# --

exact <- margin_augmented(type ~ ., data = spambase[train, ],
                          perturbation = perturb_gaussian(0.3), lambda = 0.01)

# --

certificate(exact)

# --

margin_augmented(a1a$x, factor(a1a$y), lambda = 0.02, mixture = 0.5)
