# Data at the edges of what is sensible all fit, and their certificates hold.

test_that("one row, as a regression", {
  fit <- margin_linear(matrix(c(1, 2), 1), 3, loss = "squared")
  expect_true(fit$certificate$certified)
  expect_equal(unname(fitted(fit)), 3)
})

test_that("numbers near the largest double give a fit, or a classed error, and never NA", {
  verdict <- function(...) {
    fit <- tryCatch(quiet_fit(..., control = margin_control(seed = 1)),
                    dualmargin_error = function(e) {
      expect_s3_class(e, "dualmargin_input_error")
      NULL
    })
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
})
