rows <- seq(1, nrow(spambase), by = 20)

# --

some <- spambase[rows, ]

# --

specs <- list(
  hinge = spec_margin("linear", loss = "hinge", cost = 1),
  logistic = spec_margin("linear", loss = "logistic", lambda = 0.01)
)

# --

comparison <- margin_compare(type ~ ., data = some, specs, folds = 5, repeats = 2, seed = 1)

# --

comparison

# --

plot(comparison)

# --

chosen <- margin_linear(type ~ ., data = some, loss = "logistic", lambda = 0.01)

# --

mean(predict(chosen, spambase[-rows, ]) == spambase$type[-rows])
