some <- spambase[seq(1, nrow(spambase), by = 10), ]

# --

specs <- list(
  hinge = spec_margin("linear", loss = "hinge", cost = 1),
  logistic = spec_margin("linear", loss = "logistic", lambda = 0.001),
  kernel = spec_margin("kernel", loss = "hinge", kernel = kernel_rbf(0.01), cost = 10,
                       intercept = "free")
)

# --

if (requireNamespace("e1071", quietly = TRUE)) {
  specs$e1071 <- spec_e1071("rbf", cost = 10, sigma = 0.01)
}

# --

comparison <- margin_compare(type ~ ., data = some, specs, folds = 5, repeats = 3, seed = 1)

# --

summary(comparison, tests = c("bayes", "mcnemar"))

# --

plot(comparison)
