# Sums over a million rows are off by no more than the rounding that certificates state.

test_that("a robust bound of a million equal multipliers is within its rounding", {
  n <- 1e6
  y <- rep(c(-1, 1), each = n / 2)
  # v = 0 and theta > 0, so D is the mean of alpha + beta; t makes what kappa sum(beta) is off by
  # count, which the rounding of the terms would not cover
  for (beta in c(0.1, 0.3)) {
    found <- probe("robust_certificate", matrix(0, n, 1), y, rep(1, n),
                   list(norm = "l1", radius = beta * 1.1, label_cost = 1, ridge = 0,
                        intercept = "none"),
                   list(w = 0, b = 0, t = 1e6, alpha = rep(beta, n), beta = rep(beta, n)))
    expect_lte(found$bound, 2 * beta)
    expect_lte(abs(found$bound + found$rounding - 2 * beta), found$rounding)
  }
})

test_that("a robust pair of a million fractional weights is within its rounding", {
  n <- 1e6
  y <- rep(c(-1, 1), each = n / 2)
  # P = 1 and D = 2 beta, however large all weights are
  for (weight in c(0.1, 0.3, 1 / 3)) {
    found <- probe("robust_certificate", matrix(0, n, 1), y, rep(weight, n),
                   list(norm = "l1", radius = 0.2, label_cost = 1, ridge = 0, intercept = "free"),
                   list(w = 0, b = 0, t = 0, alpha = rep(0.1, n), beta = rep(0.1, n)))
    expect_lte(found$bound, 0.2)
    expect_lte(max(abs(c(found$value - 1, found$bound + found$rounding - 0.2))), found$rounding)
  }
})

test_that("robust multipliers of sorted and of alternating labels cancel within the rounding", {
  n <- 1e6
  sorted <- rep(c(-1, 1), each = n / 2)
  # v = 0 in exact arithmetic, so D is the mean of alpha
  for (y in list(sorted, rep(c(-1, 1), n / 2))) {
    found <- probe("robust_certificate", matrix(0.1, n, 1), y, rep(0.3, n),
                   list(norm = "l2", radius = 0, label_cost = Inf, ridge = 1e-3,
                        intercept = "free"),
                   list(w = 10, b = -1, t = 10, alpha = rep(0.3, n), beta = rep(0, n)))
    expect_lte(found$bound, 0.3)
    expect_lte(abs(found$bound + found$rounding - 0.3), found$rounding)
  }
})

test_that("a robust bound holds where one column of wide sparse rows is a long plain sum", {
  n <- 2e4
  x <- methods::as(Matrix::sparseMatrix(i = seq_len(n), j = rep(1, n), x = 0.1, dims = c(n, n)),
                   "RsparseMatrix")
  for (alpha in c(0.3, 0.7)) {
    # D = alpha - (0.1 alpha)^2 / (2 ridge), which no smaller multiple of alpha exceeds
    ridge <- 0.0125 * alpha
    found <- probe("robust_certificate", x, rep(1, n), rep(1, n),
                   list(norm = "l1", radius = 0, label_cost = Inf, ridge = ridge,
                        intercept = "none"),
                   list(w = numeric(n), b = 0, t = 0, alpha = rep(alpha, n), beta = rep(0, n)))
    expect_lte(abs(found$bound + found$rounding - 0.6 * alpha), found$rounding)
  }
})

test_that("dual variables of joint classes sum to zero within what is stated, labels sorted", {
  n <- 2e5
  y <- factor(rep(1:3, length.out = n)[order(rep(1:3, length.out = n))])
  set.seed(1)
  x <- matrix(rnorm(n), n, 1)
  fit <- suppressWarnings(margin_linear(x, y, multiclass = "softmax", lambda = 1, solver = "newton",
                                        intercept = "free",
                                        control = margin_control(seed = 1, max_epochs = 1)))
  sums <- vapply(1:3, function(c) sum(fit$dual[, c]), 0)
  expect_lte(max(abs(sums) / colSums(abs(fit$dual))), 80 * .Machine$double.eps)
})
