some <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

comparison <- margin_compare(
  type ~ ., data = some,
  specs = list(hinge = spec_margin("linear", loss = "hinge", cost = 1),
               logistic = spec_margin("linear", loss = "logistic", lambda = 0.01)),
  folds = 5, repeats = 2, seed = 1
)

# --

plot(comparison)

# --

plot(comparison, which = "scores")
