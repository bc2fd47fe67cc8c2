# Data at the edges of what is sensible all fit, and their certificates hold.

losses <- c("hinge", "smooth_hinge", "squared_hinge", "logistic")
expect_certified <- function(x, y, ...) {
  for (loss in losses) {
    fit <- margin_linear(x, y, loss = loss, ..., control = margin_control(seed = 1))
    expect_true(fit$certificate$certified)
    expect_honest_certificate(fit, x, tolerance = 1e-8)
  }
  fit
}
labels <- factor(rep(c("a", "b", "b"), 20))
noise <- function(n, p, seed = 1L) {
  set.seed(seed)
  matrix(rnorm(n * p), n)
}

test_that("constant and zero columns", {
  x <- cbind(noise(60, 2), 0, 3)
  fit <- expect_certified(x, labels)
  expect_identical(unname(coef(fit)["V3"]), 0)
  expect_identical(unname(fit$scales[3:4]), c(1, 1))
})

test_that("zero rows, all of them too", {
  x <- noise(60, 3)
  x[c(1, 4, 9), ] <- 0
  expect_certified(x, labels)
  fit <- expect_certified(matrix(0, 60, 2), labels)
  expect_identical(unname(coef(fit)[-1L]), c(0, 0))
  # the intercept alone: log odds
  expect_equal(unname(coef(fit)[1L]), log(2), tolerance = 1e-3)
})

test_that("more columns than rows, dense and sparse", {
  expect_certified(noise(60, 400), labels)
  expect_certified(noise(60, 400), labels, mixture = 0.5, lambda = 0.05)
  sparse <- as(Matrix::rsparsematrix(60, 3000, 0.01), "CsparseMatrix")
  expect_certified(sparse, labels, intercept = "penalized")
  expect_certified(sparse, labels)
})

test_that("gene expression", {
  expect_certified(colon$x, colon$y)
})

test_that("duplicated rows and separable data", {
  x <- noise(20, 3)
  expect_certified(x[rep(1:20, 3), ], labels)
  expect_certified(cbind(ifelse(labels == "a", 1, -1), noise(60, 1)), labels, lambda = 1e-8)
})

test_that("one row, as a regression", {
  fit <- margin_linear(matrix(c(1, 2), 1), 3, loss = "squared")
  expect_true(fit$certificate$certified)
  expect_equal(unname(fitted(fit)), 3)
})

test_that("columns on scales from 1e-8 to 1e8", {
  x <- noise(300, 17) %*% diag(10^seq(-8, 8))
  y <- factor(x[, 9] + x[, 1] * 1e8 + noise(300, 1, 2) > 0)
  expect_certified(x, y)
  for (loss in losses) for (tol in c(1e-6, 1e-12)) {
    fit <- quiet_fit(x, y, loss = loss, scale = FALSE, lambda = 1e-6,
                     control = margin_control(tol = tol, seed = 1, max_epochs = 3000))
    ended <- fit$status$status
    expect_true(ended %in% c("certified", "rounding_floor"))
    if (ended == "rounding_floor") expect_gt(fit$status$rounding_floor, 0)
  }
})

test_that("no result moves when the noise is tiny", {
  x <- noise(60, 4)
  fit <- function(x) coef(margin_linear(x, labels, control = margin_control(tol = 1e-10, seed = 1),
                                        loss = "smooth_hinge"))
  expect_equal(fit(x + 1e-12 * noise(60, 4, 5)), fit(x), tolerance = 1e-6)
})

test_that("numbers near the largest double give a fit, or a classed error, and never NA", {
  verdict <- function(...) {
    fit <- tryCatch(quiet_fit(..., control = margin_control(seed = 1)),
                    dualmargin_error = function(e) NULL)
    if (!is.null(fit)) {
      expect_false(anyNA(fit$certificate$certified))
      expect_false(anyNA(fit$certificate[c("value", "bound", "gap", "relative_gap")]))
      expect_true(all(is.finite(coef(fit))))
    }
    fit
  }
  alone <- verdict(matrix(1), -4.77e299, loss = "squared", lambda = 0.078, mixture = 1,
                   scale = FALSE)
  if (!is.null(alone)) expect_identical(unname(coef(alone)), c(-4.77e299, 0))
  for (size in c(1e160, 1e300)) for (intercept in c("free", "penalized", "none")) {
    for (mixture in c(0, 0.5, 1)) {
      for (loss in c("squared", "huber")) {
        verdict(matrix(c(1, 2, 4)), size * c(-1, 1, 3), loss = loss, lambda = 0.1,
                mixture = mixture, intercept = intercept)
      }
      for (loss in c("hinge", "squared_hinge", "logistic")) {
        verdict(size * matrix(c(1, 2, 4)), c(-1, 1, -1), loss = loss, lambda = 0.1,
                mixture = mixture, intercept = intercept, scale = FALSE)
      }
    }
  }
  expect_identical(dualmargin:::relative_gap(c(1, NaN, 0), c(NaN, 1, 0), c(NaN, NaN, 0), 1),
                   c(Inf, Inf, 0))
})
