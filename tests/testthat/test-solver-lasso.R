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
  w <- dualmargin:::scaled_slopes(fit)
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

test_that("more columns than rows; dense, by columns and by rows are one fit", {
  problem <- sparse_problem(n = 80L, p = 600L)
  for (loss in smooth_losses) for (mixture in c(0.5, 1)) {
    fit <- function(x) {
      lasso_fit(x, problem$y, loss = loss, mixture = mixture, lambda = 0.05,
                options = list(working_set = 20))
    }
    by_columns <- fit(problem$x)
    expect_kkt(by_columns, problem$x, problem$y)
    if (mixture == 1) expect_lte(sum(coef(by_columns)[-1L] != 0), 80)
    expect_equal(coef(fit(as.matrix(problem$x))), coef(by_columns), tolerance = 1e-6)
    expect_equal(coef(fit(as(problem$x, "RsparseMatrix"))), coef(by_columns), tolerance = 1e-6)
  }
})

test_that("integer and logical matrices are read by columns as well", {
  set.seed(4)
  x <- matrix(sample(0:1, 60 * 400, TRUE, c(0.8, 0.2)), 60)
  y <- ifelse(x[, 1] + x[, 2] + runif(60) > 0.9, 1, -1)
  real <- lasso_fit(x + 0, y, loss = "logistic", mixture = 1, lambda = 0.03)
  expect_identical(coef(lasso_fit(x, y, loss = "logistic", mixture = 1, lambda = 0.03)), coef(real))
  expect_identical(coef(lasso_fit(x == 1, y, loss = "logistic", mixture = 1, lambda = 0.03)),
                   coef(real))
})

test_that("it brackets the optimum of newton, and finds its coefficients", {
  problem <- small_problem(n = 150L, p = 350L, seed = 5L)
  for (loss in smooth_losses) for (mixture in c(0.4, 1)) {
    y <- if (loss$name == "squared") problem$response else factor(problem$y)
    lambda <- 0.04
    fit <- function(solver, tol) {
      lasso_fit(problem$x, y, loss = loss, mixture = mixture, lambda = lambda, solver = solver,
                tol = tol)
    }
    best <- fit("newton", 1e-11)
    found <- fit("lasso", 1e-9)
    expect_lte(found$certificate$bound, best$certificate$value * (1 + 1e-12))
    expect_gte(found$certificate$value, best$certificate$bound * (1 - 1e-12))
    # scores: the loss is smooth, so gamma/2 |a - a*|^2 <= gap
    omega <- rep(1 / 150, 150)
    apart <- sum(omega * (found$dual - best$dual)^2)
    gap <- max(found$certificate$gap, 1e-16)
    gaps <- sqrt(2 * gap / loss$gamma) + sqrt(2 * 1e-11 / loss$gamma)
    expect_lte(sqrt(apart), gaps + 1e-8)
    if (mixture < 1) {
      distance <- sum((dualmargin:::scaled_slopes(found) - dualmargin:::scaled_slopes(best))^2)
      l2 <- lambda * (1 - mixture)
      expect_lte(sqrt(distance), sqrt(2 * gap / l2) + sqrt(2 * 1e-11 / l2))
    }
  }
})

test_that("glmnet finds the same coefficients", {
  skip_if_not_installed("glmnet")
  problem <- small_problem(n = 120L, p = 60L, seed = 6L)
  keep <- seq_len(59L)  # without the constant column
  x <- problem$x[, keep]
  for (mixture in c(0.5, 1)) {
    peer <- precise_glmnet(x, factor(problem$y), family = "binomial", alpha = mixture,
                           lambda = 0.02, standardize = FALSE, thresh = 1e-14, maxit = 1e6)
    fit <- lasso_fit(x, factor(problem$y), loss = "logistic", mixture = mixture, lambda = 0.02,
                     scale = FALSE)
    expect_equal(unname(coef(fit)), unname(as.matrix(coef(peer))[, 1]), tolerance = 1e-5)
    # glmnet measures a gaussian response in units of its standard deviation
    y <- problem$response / sqrt(mean((problem$response - mean(problem$response))^2))
    peer <- precise_glmnet(x, y, alpha = mixture, lambda = 0.05, standardize = FALSE,
                           thresh = 1e-16, maxit = 1e6)
    fit <- lasso_fit(x, y, loss = "squared", mixture = mixture, lambda = 0.05, scale = FALSE)
    expect_equal(unname(coef(fit)), unname(as.matrix(coef(peer))[, 1]), tolerance = 1e-5)
  }
})

test_that("neither screening nor extrapolation moves the optimum", {
  problem <- small_problem(n = 100L, p = 500L, seed = 7L)
  for (loss in smooth_losses) for (mixture in c(0.6, 1)) {
    y <- if (loss$name == "squared") problem$response else factor(problem$y)
    fit <- function(screening, extrapolation) {
      lasso_fit(problem$x, y, loss = loss, mixture = mixture, lambda = 0.05, tol = 1e-12,
                options = list(screening = screening, extrapolation = extrapolation,
                               working_set = 10))
    }
    both <- fit(TRUE, TRUE)
    for (other in list(fit(FALSE, TRUE), fit(TRUE, FALSE), fit(FALSE, FALSE))) {
      expect_equal(other$certificate$value, both$certificate$value, tolerance = 1e-11)
      expect_equal(coef(other), coef(both), tolerance = 1e-5)
      expect_identical(coef(other) != 0, coef(both) != 0)
    }
    # what was removed for good is zero in an optimum that another solver finds
    best <- lasso_fit(problem$x, y, loss = loss, mixture = mixture, lambda = 0.05,
                      solver = "newton", tol = 1e-11)
    expect_true(all(abs(dualmargin:::scaled_slopes(best)[coef(both)[-1L] == 0]) < 1e-5))
  }
})

test_that("what is screened does not depend on the unit of the response", {
  set.seed(5)
  rows <- sqrt(0.1) * matrix(rnorm(60 * 400), 60) + sqrt(0.9) * rnorm(60)
  y <- drop(rows[, 1:20] %*% rnorm(20)) + 0.5 * rnorm(60)
  fit <- function(unit, screening = TRUE) {
    options <- list(screening = screening, working_set = 10)
    margin_linear(rows, unit * y, loss = "squared", lambda = 0.1 * unit, mixture = 1,
                  solver = "lasso", response_scale = FALSE,
                  control = margin_control(tol = 1e-10, solver_options = options))
  }
  plain <- fit(1)
  expect_lt(plain$status$epochs, 0.9 * fit(1, FALSE)$status$epochs)
  for (unit in c(2^-30, 2^30)) {
    other <- fit(unit)
    expect_equal(coef(other) / unit, coef(plain), tolerance = 1e-7, info = unit)
    expect_equal(other$status$epochs, plain$status$epochs, tolerance = 1e-6, info = unit)
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

test_that("equal columns share what one of them would get; a zero column gets nothing", {
  problem <- small_problem(n = 70L, p = 6L)
  x <- cbind(problem$x, again = problem$x[, 1L], zero = 0)
  for (mixture in c(0.5, 1)) {
    fit <- lasso_fit(x, factor(problem$y), loss = "logistic", mixture = mixture, lambda = 0.02)
    expect_true(fit$certificate$certified)
    expect_kkt(fit, x, problem$y)
    expect_identical(unname(coef(fit)["zero"]), 0)
    if (mixture == 1) {
      alone <- lasso_fit(problem$x, factor(problem$y), loss = "logistic", mixture = 1,
                         lambda = 0.02)
      expect_equal(unname(coef(fit)["x1"] + coef(fit)["again"]), unname(coef(alone)["x1"]),
                   tolerance = 1e-6)
    } else {
      expect_equal(unname(coef(fit)["x1"]), unname(coef(fit)["again"]), tolerance = 1e-6)
    }
  }
})

test_that("a start from the fit for a larger lambda saves work", {
  problem <- small_problem(n = 200L, p = 1000L, seed = 8L)
  fit <- function(lambda, start = NULL) {
    margin_linear(problem$x, factor(problem$y), loss = "logistic", mixture = 1, lambda = lambda,
                  solver = "lasso", control = margin_control(tol = 1e-9, seed = 1, start = start))
  }
  near <- fit(0.022)
  cold <- fit(0.02)
  warm <- fit(0.02, near)
  expect_lt(warm$status$steps, cold$status$steps)
  expect_equal(warm$certificate$value, cold$certificate$value, tolerance = 1e-8)
  expect_equal(fit(0.02, cold)$status$steps, 0)
})

test_that("without an l1 part it says what to use instead", {
  condition <- expect_error(
    margin_linear(colon$x, colon$y, loss = "logistic", solver = "lasso"),
    "solver \"newton\" or \"auto\"", class = "dualmargin_input_error"
  )
  expect_identical(condition$arg, "mixture")
  expect_error(
    margin_linear(colon$x, colon$y, loss = "logistic", mixture = 1, solver = "lasso",
                  control = margin_control(solver_options = list(working_set = 0))),
    "working_set", class = "dualmargin_input_error"
  )
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
