# The working-set solver for penalties with an l1 part.

lasso_fit <- function(x, y, ..., solver = "lasso", tol = 1e-12, options = list(),
                      loss = "smooth_hinge") {
  margin_linear(x, y, ..., loss = loss, solver = solver, response_scale = FALSE,
                control = margin_control(tol = tol, seed = 1, max_epochs = 1e5,
                                         solver_options = options))
}

# The conditions of optimality, from the coefficients alone: u is the gradient of the mean loss on
# the scaled columns, a the slopes at the scores.
expect_kkt <- function(fit, x, y) {
  s <- fit$settings
  # a gap is of first order in what is violated for the lasso, of second order with an l2 part
  tolerance <- if (s$mixture == 1) 1e-7 else 1e-5
  scaled <- sweep(as.matrix(x), 2L, fit$scales, `/`)
  w <- scaled_slopes(fit)
  z <- fit$scores
  slope <- probe_loss(s$loss, "slope", z = z, y = y)
  if (s$intercept == "penalized") {
    scaled <- cbind(scaled, 1)
    w <- c(w, unname(coef(fit)[1L]))
  }
  omega <- fit$weights / sum(fit$weights)
  u <- colSums(omega * slope * scaled)
  l1 <- s$lambda * s$mixture
  l2 <- s$lambda * (1 - s$mixture)
  expect_true(all(abs(u[w == 0]) <= l1 * (1 + 1e-8)))
  expect_true(all(abs(u + l2 * w + l1 * sign(w))[w != 0] <= l1 * tolerance))
  if (s$intercept == "free") expect_lte(abs(sum(omega * slope)), tolerance * l1)
}

smooth_losses <- Filter(function(loss) loss$smooth, class_losses())

test_that("the conditions of optimality hold, for every smooth loss and intercept", {
  problem <- small_problem(n = 90L, p = 40L)
  for (loss in smooth_losses) for (intercept in c("free", "penalized", "none")) {
    for (mixture in c(0.3, 1)) {
      codes <- if (loss$name == "squared") problem$response else problem$y
      y <- if (loss$name == "squared") codes else factor(codes)
      fit <- lasso_fit(problem$x, y, loss = loss, intercept = intercept, mixture = mixture,
                       lambda = 0.03, weights = problem$weights)
      expect_true(fit$certificate$certified)
      expect_identical(fit$status$solver, "lasso")
      expect_kkt(fit, problem$x, codes)
      expect_honest_certificate(fit, problem$x)
    }
  }
})

test_that("from lambda_max on nothing but the intercept is left, certified at once", {
  problem <- small_problem(n = 80L, p = 50L)
  for (loss in smooth_losses) {
    codes <- if (loss$name == "squared") problem$response else problem$y
    y <- if (loss$name == "squared") codes else factor(codes)
    empty <- lasso_fit(problem$x, y, loss = loss, mixture = 1, lambda = 1e3)
    slope <- probe_loss(empty$settings$loss, "slope", z = coef(empty)[1L], y = codes)
    top <- max(abs(colMeans(slope * sweep(problem$x, 2L, empty$scales, `/`))))
    fit <- lasso_fit(problem$x, y, loss = loss, mixture = 1, lambda = top * (1 + 1e-9))
    expect_true(fit$certificate$certified)
    expect_true(all(coef(fit)[-1L] == 0))
    expect_lt(fit$status$epochs, 5)
    less <- lasso_fit(problem$x, y, loss = loss, mixture = 1, lambda = top * 0.99)
    expect_true(any(coef(less)[-1L] != 0))
  }
})

test_that("a limit of time or work is kept, with a certificate that is honest", {
  problem <- small_problem(n = 200L, p = 1500L, seed = 9L)
  for (limits in list(list(max_epochs = 3), list(max_seconds = 1e-6))) {
    control <- do.call(margin_control, c(limits, tol = 1e-12, seed = 1))
    fit <- quiet_fit(problem$x, factor(problem$y), loss = "logistic", mixture = 1, lambda = 1e-3,
                     solver = "lasso", control = control)
    expect_identical(fit$status$status, names(limits))
    expect_false(fit$certificate$certified)
    expect_honest_certificate(fit, problem$x)
  }
})
