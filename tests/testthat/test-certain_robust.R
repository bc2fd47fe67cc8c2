# Robust fits with a ridge: a ball for w, a free intercept over all norm bounds that are possible.

test_that("without a ridge there is nothing to say, and it is said", {
  fit <- margin_robust(type ~ ., data = spambase, radius = 0.05)
  expect_error(margin_certain(fit, spambase), "without a ridge", class = "dualmargin_input_error")
})
