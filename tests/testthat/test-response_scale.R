# Huber's loss, as the quantile loss, is solved for y/s, s the spread of y, so that delta and lambda
# mean the same in every unit: coefficients, scores and predictions are in that of y, the certificate
# is of what was solved.

tight <- margin_control(tol = 1e-12, seed = 1)

set.seed(4)
n <- 36L
x <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("u", "v", "w")))
y <- 10 * (x[, 1L] - x[, 2L] / 2 + rt(n, 2)) + 3

test_that("the certificate is that of the problem in units of the spread", {
  for (weights in list(rep(1, n), rep(c(0, 1, 2), n / 3))) {
    for (intercept in c("free", "penalized", "none")) {
      for (mixture in c(0, 0.5, 1)) {
        fit <- margin_linear(x, y, loss = loss_huber(0.8), lambda = 0.05, mixture = mixture,
                             intercept = intercept, scale = TRUE, weights = weights)
        expect_false(fit$response_scale == 1)
        expect_honest_certificate(fit, x)
      }
      kernel <- margin_kernel(x, y, kernel = kernel_rbf(0.3), loss = loss_huber(0.8),
                              lambda = 0.05, intercept = intercept, scale = TRUE,
                              weights = weights)
      expect_honest_kernel(kernel, x, y, weights)
      path <- margin_path(x, y, loss = "huber", mixture = c(0, 0.6), n_lambda = 4,
                          intercept = intercept, scale = TRUE, weights = weights)
      expect_honest_path(path, x, y, weights)
    }
  }
  # dual variables are slopes of the loss, which no residual takes beyond delta
  far <- margin_linear(x, 1e6 * y, loss = "huber", lambda = 0.05)
  expect_lte(max(abs(far$dual)), 1.345)
})

test_that("the squared loss needs no unit: a ridge is the same, the l1 norm is in that of y", {
  squared <- function(y, lambda, mixture) {
    margin_linear(x, y, loss = "squared", lambda = lambda, mixture = mixture, intercept = "free",
                  scale = TRUE, control = tight)
  }
  for (unit in c(1e-3, 50)) {
    expect_equal(coef(squared(unit * y, 0.1, 0)), unit * coef(squared(y, 0.1, 0)),
                 tolerance = 1e-8)
    expect_equal(coef(squared(unit * y, unit * 0.1, 1)), unit * coef(squared(y, 0.1, 1)),
                 tolerance = 1e-7)
  }
})

test_that("cross-validation takes the spread of the rows it fits", {
  folds <- rep(1:3, n / 3)
  loss <- loss_huber(unit = "response")
  cv <- margin_cv(x, y, loss = loss, grid = list(lambda = 0.1), folds = folds, metric = "mse")
  mse <- vapply(1:3, function(fold) {
    train <- folds != fold
    fit <- margin_linear(x[train, ], y[train], loss = loss, lambda = 0.1)
    expect_equal(fit$response_scale, stats::mad(y[train]))
    mean((predict(fit, x[!train, ]) - y[!train])^2)
  }, 0)
  expect_equal(cv$results$score, mse, tolerance = 1e-6)
  both <- margin_cv(x, y, loss = "huber", folds = folds,
                    grid = list(response_scale = c(TRUE, FALSE), lambda = 0.1))
  expect_identical(sort(both$settings$response_scale), c(FALSE, TRUE))
})

test_that("what was divided is said, and what has no unit takes no such argument", {
  fit <- margin_linear(dist ~ speed, data = cars, loss = "huber", lambda = 0.02, mixture = 0,
                       intercept = "free", scale = TRUE)
  shown <- capture.output(print(fit))
  expect_match(shown, "response +divided by its spread, 23.72, for the fit", all = FALSE)
  expect_match(gsub("\\s+", " ", paste(shown, collapse = " ")),
               "the scaled columns and the response divided by its spread", fixed = TRUE)
  expect_true(all(nchar(shown) <= 80L))
  expect_match(capture.output(print(summary(fit))), "divided by its spread, 23.72", all = FALSE)
  path <- margin_path(dist ~ speed, data = cars, loss = "huber", n_lambda = 3)
  expect_match(capture.output(print(path)), "divided by its spread, 23.72", all = FALSE)
  off <- margin_linear(dist ~ speed, data = cars, loss = "huber", response_scale = FALSE)
  expect_no_match(paste(capture.output(print(off)), collapse = " "), "spread")
  classes <- factor(y > 0)
  expect_input_error(margin_robust(x, classes, response_scale = TRUE), "response_scale",
                     "is not an argument of margin_robust")
  expect_input_error(margin_hard(x, classes, response_scale = TRUE), "response_scale",
                     "is not an argument of margin_hard")
  expect_input_error(margin_linear(x, y, loss = "huber", response_scale = 2), "response_scale",
                     "TRUE or FALSE")
  wild <- replace(y * 1e-60, 1L, 1e90)
  expect_input_error(margin_linear(x, wild, loss = "huber"), "y", "response_scale = FALSE")
})
