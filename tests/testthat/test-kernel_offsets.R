# A free intercept takes up where the response is, and where the rows of a linear kernel are.

quiet <- function(...) margin_control(seed = 1, progress = FALSE, ...)

test_that("a response far from zero is fitted as the same response near it", {
  case <- with_seed(2, list(x = matrix(rnorm(200), 50), e = rnorm(50)))
  case$y <- case$x[, 1] + case$e
  for (loss in list(as_loss("squared"), loss_huber(0.5))) for (solver in c("newton", "block_sdca")) {
    for (far in c(1300, 1e6, 1.7e9, -1e8)) for (unit in c(1, 1e-8, 1e8)) {
      y <- unit * (case$y + far)
      level <- mean(y)
      fit <- function(y) {
        margin_kernel(case$x, y, kernel_rbf(0.2), loss, lambda = 0.01, intercept = "free",
                      response_scale = FALSE, solver = solver, control = quiet())
      }
      # as soon as the unit moves, so does what Huber's delta means
      if (unit != 1 && loss$name == "huber") next
      far_away <- fit(y)
      near <- fit(y - level)
      expect_true(certificate(far_away)$certified)
      expect_true(certificate(near)$certified)
      bound <- max(certificate(far_away)$bound, certificate(near)$bound)
      expect_lte(bound, min(certificate(far_away)$value, certificate(near)$value))
      expect_equal(unname(far_away$scores) - level, unname(near$scores), tolerance = 1e-3)
      expect_equal(unname(predict(far_away, case$x)), unname(far_away$scores), tolerance = 1e-12)
    }
  }
})

test_that("a certificate with a free intercept is relative to the best constant", {
  case <- with_seed(2, list(x = matrix(rnorm(200), 50), e = rnorm(50)))
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
  case <- with_seed(4, list(x = matrix(rnorm(120), 40), e = rnorm(40)))
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
      beta <- dualmargin:::kernel_coefficients(fit)
      expect_gt(shown$gap, 1e-3 * 2^-53 * largest * sum(beta^2))
      if (far == 1e5) expect_false(shown$certified)
    }
  }
})
