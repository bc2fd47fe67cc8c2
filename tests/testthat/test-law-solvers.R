# Laws over the registry of solvers.

can <- solver_takes
linear_solvers <- solver_rows("linear")

# One problem for all: solvers that end within their tolerance leave Huber's loss residuals of sizes
# that differ, and so would what its delta counts.
one_problem <- function(loss) {
  if (loss$name == "huber") loss_huber(loss$parameter[[1L]], "response") else loss
}

# the optimum of a problem, found once
optima <- new.env()

for (row in linear_solvers) for (loss in lapply(all_losses(), one_problem)) {
  if (!can(row, loss, "none", 0) && !can(row, loss, "none", 0.5)) next
  test_that(paste(row$name, "reaches the optimum of", format(loss)), {
    problem <- small_problem()
    y <- if (loss$task != "classification") problem$response else factor(problem$y)
    for (intercept in c("free", "penalized", "none")) for (mixture in c(0, 0.5)) {
      # an l1 part with the first of them
      first <- Filter(function(kind) can(row, loss, kind, mixture), c("free", "penalized", "none"))
      if (!intercept %in% (if (mixture > 0) first[1L] else first)) next
      lambda <- lambda_for(row, 0.05, problem$x, loss, mixture, intercept,
                           weights = problem$weights)
      tol <- if (row$name %in% c("sdca", "dual_cd") && !loss$smooth) 1e-4 else tol_for(row, 1e-8)
      fit_by <- function(solver, tol) {
        without_notes(
          margin_linear(problem$x, y, loss = loss, intercept = intercept, mixture = mixture,
                        lambda = lambda, weights = problem$weights, solver = solver,
                        control = margin_control(tol = tol, seed = 7, max_epochs = 20000))
        )
      }
      fit <- fit_by(row$name, tol)
      key <- paste(format(loss), intercept, mixture, lambda)
      if (is.null(optima[[key]])) optima[[key]] <- fit_by("auto", 1e-11)
      best <- optima[[key]]
      expect_true(fit$certificate$certified)
      # |w - w*| <= sqrt(2 gap / l2), on the scaled columns
      distance <- sqrt(sum((scaled_slopes(fit) - scaled_slopes(best))^2))
      l2 <- lambda * (1 - mixture)
      # (a gap of zero is one of rounding: 1e-16)
      expect_lte(distance, sqrt(2 * max(fit$certificate$gap, 1e-16) / l2) + sqrt(2 * 1e-11 / l2))
      expect_lte(fit$certificate$bound, best$certificate$value * (1 + 1e-12))
      expect_gte(fit$certificate$value, best$certificate$bound * (1 - 1e-12))
    }
  })
}

# s is a fixed point of T, the size of the residuals of the fit of delta s. A solver has it of
# residuals that are off by at most e = max |x_i| |w - w*|, |w - w*|^2 <= 2 gap / l2: T(s) - s, of
# the exact fits, changes its sign within the multiple of e/0.6745 that the slope of T allows.
test_that("solvers agree on the size of the residuals within what their gaps leave open", {
  problem <- small_problem()
  size_of <- function(fit) {
    weighted_median(abs(fit$response - fit$scores), problem$weights) / 0.6745
  }
  fit_by <- function(solver, unit, tol, mixture) {
    without_notes(
      margin_linear(problem$x, problem$response, loss = loss_huber(1, unit), intercept = "none",
                    mixture = mixture, lambda = lambda, weights = problem$weights,
                    solver = solver,
                    control = margin_control(tol = tol, seed = 7, max_epochs = 20000))
    )
  }
  tried <- character()
  for (row in linear_solvers) for (mixture in c(0, 0.5)) {
    if (!can(row, loss_huber(), "none", mixture) || tol_for(row, 1e-8) > 1e-8) next
    lambda <- lambda_for(row, 0.05, problem$x, loss_huber(), mixture, "none",
                         weights = problem$weights)
    fit <- fit_by(row$name, "residual", 1e-8, mixture)
    expect_true(fit$certificate$certified, label = row$name)
    s <- huber_scale(fit)
    expect_equal(size_of(fit), s, tolerance = 2e-8, label = row$name)
    # the slope of T
    T <- function(s) size_of(fit_by("auto", s, 1e-13, mixture))
    slope <- (T(1.01 * s) - T(0.99 * s)) / (0.02 * s)
    expect_lt(slope, 0.95)
    scaled <- sweep(problem$x, 2L, fit$scales, `/`)
    gap <- fit$response_scale^2 * max(fit$certificate$gap, 1e-16)
    e <- sqrt(max(rowSums(scaled^2)) * 2 * gap / (lambda * (1 - mixture))) / 0.6745
    near <- 2 * (e + 2e-8 * s) / (1 - max(0, slope))
    expect_gte(T(s - near), s - near)
    expect_lte(T(s + near), s + near)
    tried <- c(tried, row$name)
  }
  expect_gte(length(unique(tried)), 10L)
})

test_that("every argument that defines the problem changes its optimum", {
  problem <- small_problem()
  base <- list(x = problem$x, y = factor(problem$y), loss = "smooth_hinge", lambda = 0.05,
               mixture = 0, intercept = "free", scale = TRUE, weights = NULL, class_weights = NULL,
               control = margin_control(tol = 1e-10, seed = 1))
  optimum <- function(...) {
    do.call(margin_linear, utils::modifyList(base, list(...)))$certificate$value
  }
  changes <- list(list(loss = "hinge"), list(loss = loss_smooth_hinge(0.2)), list(lambda = 0.06),
                  list(mixture = 0.3), list(intercept = "none"), list(intercept = "penalized"),
                  list(scale = FALSE), list(weights = problem$weights),
                  list(class_weights = c(`-1` = 1, `1` = 2)))
  values <- c(optimum(), vapply(changes, function(change) do.call(optimum, change), 0))
  expect_identical(anyDuplicated(signif(values, 8)), 0L)
})

test_that("the dual value never falls in sdca", {
  problem <- small_problem()
  for (sampling in c("permutation", "uniform")) {
    fit <- quiet_fit(problem$x, factor(problem$y), loss = "hinge", intercept = "none",
                     lambda = 0.1, solver = "sdca",
                     control = margin_control(tol = 1e-10, max_epochs = 200, seed = 2,
                                              solver_options = list(sampling = sampling)))
    expect_true(all(diff(convergence(fit)$bound) >= -1e-14))
    expect_gt(nrow(convergence(fit)), 3L)
  }
})

test_that("sdca on a kernel matrix leads to the optimum of the rows", {
  problem <- small_problem()
  kernel <- tcrossprod(problem$x)
  for (loss in all_losses()) {
    lambda <- 0.2
    y <- if (loss$task != "classification") problem$response else factor(problem$y)
    tol <- if (loss$smooth) 1e-8 else 1e-4
    fit <- margin_kernel(problem$x, y, as_kernel("linear"), loss = loss, intercept = "none",
                         center = FALSE, scale = FALSE, lambda = lambda, weights = problem$weights,
                         response_scale = FALSE, solver = "sdca",
                         control = margin_control(tol = tol, max_epochs = 2000, seed = 1))
    expect_true(certificate(fit)$certified)
    linear <- margin_linear(problem$x, y, loss = loss, intercept = "none", scale = FALSE,
                            lambda = lambda, weights = problem$weights, response_scale = FALSE,
                            control = margin_control(tol = 1e-10, seed = 1))
    # both bracket one optimum, and the functions agree in the norm of the space
    expect_lte(fit$certificate$bound, linear$certificate$value + 1e-12)
    expect_gte(fit$certificate$value, linear$certificate$bound - 1e-12)
    beta <- -problem$weights * fit$dual / (sum(problem$weights) * lambda)
    expect_equal(drop(kernel %*% beta), unname(fit$scores), tolerance = 1e-10)
    norm2 <- sum((crossprod(problem$x, beta) - coef(linear))^2)
    expect_lte(norm2, 2 * (fit$certificate$gap + 1e-9) / lambda)
  }
})
