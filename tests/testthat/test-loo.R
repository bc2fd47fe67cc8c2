# Leave-one-out against n refits, its known figures, and what it must not depend on.

test_that("a1a and spambase have their known errors", {
  fit <- margin_linear(a1a$x, factor(a1a$y), lambda = 1e-2, intercept = "penalized", scale = FALSE)
  loo <- margin_loo(fit, a1a$x, factor(a1a$y))
  expect_identical(unlist(loo$summary[c("training_errors", "errors", "ties")], use.names = FALSE),
                   c(260L, 277L, 0L))
  # most rows are decided from the fit alone
  expect_lte(loo$summary$undecided, 20L)
  fit <- margin_linear(type ~ ., data = spambase, lambda = 1e-2, intercept = "penalized")
  loo <- margin_loo(fit, spambase)
  expect_identical(unlist(loo$summary[c("training_errors", "errors")], use.names = FALSE),
                   c(357L, 365L))
  expect_lte(loo$summary$undecided, 100L)
  expect_true(all(loo$rows$wrong[loo$rows$wrong_in_training]))
})

test_that("the squared loss without a row is exact: the residual over one less the leverage", {
  set.seed(2)
  x <- matrix(rnorm(40 * 3), 40)
  y <- rnorm(40)
  fit <- margin_linear(x, y, lambda = 0.1, scale = FALSE, loss = "squared",
                       control = margin_control(tol = 1e-13))
  loo <- margin_loo(fit, x, y)
  border <- cbind(1, x)
  hat <- border %*% solve(crossprod(border) + diag(c(0, rep(0.1 * 40, 3))), t(border))
  press <- y - (y - drop(hat %*% y)) / (1 - diag(hat))
  rows <- as.data.frame(loo)
  expect_true(all(rows$lower <= press + 1e-9 & rows$upper >= press - 1e-9))
  expect_lte(max(rows$upper - rows$lower), 1e-4)
  expect_identical(loo$summary$solved, 0L)
  mse <- mean((y - press)^2)
  expect_true(loo$summary$mse_lower <= mse && loo$summary$mse_upper >= mse)
  expect_lte(loo$summary$mse_upper - loo$summary$mse_lower, 1e-3)
})

test_that("a precision of Inf leaves the deviance wide and decides the same classes", {
  rows <- spambase[seq(1, nrow(spambase), by = 5), ]
  fit <- margin_linear(type ~ ., data = rows, lambda = 0.001)
  whole <- margin_loo(fit, rows, precision = 0.01)
  fast <- margin_loo(fit, rows, precision = Inf)
  expect_identical(fast$rows$class, whole$rows$class)
  expect_identical(fast$summary$errors, whole$summary$errors)
  expect_lt(fast$summary$solved, whole$summary$solved)
  expect_lt(fast$summary$deviance_lower, whole$summary$deviance_lower)
  expect_gt(fast$summary$deviance_upper, whole$summary$deviance_upper)
})

test_that("balanced class weights are said to be held", {
  d <- transform(mtcars, am = factor(am))
  fit <- margin_linear(am ~ wt, d, class_weights = "balanced")
  expect_output(print(margin_loo(fit, d)), "balanced class weights are held")
  expect_output(print(margin_sensitivity(fit, d, remove = 1)), "balanced class weights are held")
  plain <- margin_linear(am ~ wt, d, class_weights = c("0" = 1, "1" = 2))
  expect_false(any(grepl("balanced", capture.output(print(margin_loo(plain, d))))))
})

test_that("a row that has nearly all the weight leaves its statement true", {
  for (loss in c("logistic", "squared", "hinge")) for (power in c(12, 16, 19)) {
    set.seed(47)
    x <- matrix(rnorm(24), 12)
    y <- factor(ifelse(x[, 1L] + rnorm(12) > 0, "a", "b"))
    weights <- c(10^power, runif(11))
    fit <- suppressWarnings(margin_linear(x, y, loss = loss, weights = weights, lambda = 0.1,
                                          scale = FALSE))
    found <- margin_loo(fit, x, y, rule = "lambda", precision = 1e-6)$rows[1L, ]
    exact <- margin_linear(x[-1L, ], y[-1L], loss = loss, weights = weights[-1L], lambda = 0.1,
                           scale = FALSE, control = margin_control(tol = 1e-12))
    score <- predict(exact, x[1L, , drop = FALSE], type = "score")
    expect_gte(score, found$lower - 1e-5)
    expect_lte(score, found$upper + 1e-5)
  }
})

test_that("rows far from the origin of a polynomial kernel are known again", {
  x <- cbind(a = 10 * (-20:20))
  y <- factor(ifelse(abs(x[, 1L]) + 37 * sin(1:41) > 100, "u", "v"))
  fit <- suppressWarnings(margin_kernel(x, y, kernel = kernel_polynomial(2), loss = "logistic",
                                        scale = FALSE, lambda = 0.01, intercept = "none"))
  expect_s3_class(margin_loo(fit, x, y), "margin_loo")
  expect_error(margin_loo(fit, x + 1, y), class = "dualmargin_input_error")
})
