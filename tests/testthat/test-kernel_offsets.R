# A free intercept takes up where the response is, and where the rows of a linear kernel are.

quiet <- function(...) margin_control(seed = 1, progress = FALSE, ...)

test_that("a certificate with a free intercept is relative to the best constant", {
  set.seed(2)
  case <- list(x = matrix(rnorm(200), 50), e = rnorm(50))
  y <- case$x[, 1] + case$e + 1.7e9
  fit <- margin_kernel(case$x, y, kernel_rbf(0.2), "squared", lambda = 0.01, intercept = "free",
                       control = quiet())
  shown <- certificate(fit)
  expect_equal(shown$relative_gap, shown$gap / max(abs(shown$value), abs(shown$bound)))
  # kernel ridge regression with a constant, in closed form
  K <- plain_kernel(fit$settings$kernel, sweep(case$x, 2, fit$scales, `/`))
  centred <- y - 1.7e9
  system <- rbind(cbind(K + 0.01 * 50 * diag(50), 1), c(rep(1, 50), 0))
  solution <- solve(system, c(centred, 0))
  beta <- solution[1:50]
  residual <- centred - K %*% beta - solution[51]
  value <- mean(residual^2) / 2 + 0.005 * sum(beta * K %*% beta)
  expect_lte(shown$bound, value + 1e-9)
  expect_equal(shown$value, value, tolerance = 1e-5)
})

test_that("the gap holds what the rounding of large kernel values can have done", {
  set.seed(4)
  case <- list(x = matrix(rnorm(120), 40), e = rnorm(40))
  side <- ifelse(case$x[, 1] + 0.5 * case$e > 0, 1, -1)
  for (far in c(1, 1e3, 1e5)) for (loss in c("logistic", "hinge")) {
    for (kernel in list(as_kernel("linear"), kernel_polynomial(3, 0.1, 1))) {
      fit <- suppressWarnings(
        margin_kernel(case$x + far, side, kernel, loss, lambda = 1e-3,
                      center = FALSE, scale = FALSE,
                      control = quiet(tol = 1e-14), intercept = "none"),
        classes = "dualmargin_not_certified"
      )
      shown <- certificate(fit)
      expect_gte(shown$gap, 0)
      expect_lte(shown$bound, log(2) + (loss == "hinge"))
      largest <- max(diag(plain_kernel(kernel, case$x + far)))
      # at least one rounding of the scores' terms
      beta <- own_slopes(fit)
      expect_gt(shown$gap, 1e-3 * 2^-53 * largest * sum(beta^2))
      if (far == 1e5) expect_false(shown$certified)
    }
  }
})
