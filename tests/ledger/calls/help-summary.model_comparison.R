some <- spambase[seq(1, nrow(spambase), by = 20), ]

# --

comparison <- margin_compare(
  type ~ ., data = some,
  specs = list(spec_margin("linear", loss = "hinge"), spec_margin("linear", loss = "logistic")),
  folds = 5, repeats = 2, seed = 1
)

# --

summary(comparison)

# --

tidy(comparison, tests = "bayes", rope = 0.02)
