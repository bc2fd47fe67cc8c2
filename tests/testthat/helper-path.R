# The objective of every point of a path in plain R, from its coefficients alone. A row of the
# result for each point, a column for each class problem.
outside_values <- function(path, x, y, omega = rep(1, nrow(x))) {
  settings <- path$settings
  scaled <- sweep(as.matrix(x), 2L, path$scales, `/`)
  all <- if (is.list(path$coefficients)) path$coefficients else list(path$coefficients)
  # the problem that was solved is of y in units of its spread
  all <- lapply(all, `/`, path$response_scale)
  has <- settings$intercept != "none"
  value <- function(coefficients, target, i) {
    w <- if (has) coefficients[-1L, i] else coefficients[, i]
    b <- if (has) coefficients[1L, i] else 0
    loss <- settings$loss
    # Huber's, in units of the residuals of each point
    own <- path$residual_scale[i] / path$response_scale
    if (length(own) > 0L) loss$parameter <- loss$parameter * own
    plain_objectives(scaled, target, omega, loss, path$lambda[i], path$mixture[i],
                     settings$intercept, w * path$scales, b, rep(0, nrow(x)))$primal
  }
  targets <- if (length(all) == 1L) {
    list(if (is.factor(y)) 2 * as.integer(y) - 3 else y / path$response_scale)
  } else {
    lapply(seq_along(all), function(k) ifelse(as.integer(y) == k, 1, -1))
  }
  points <- seq_along(path$lambda)
  mapply(function(coefficients, target) {
    vapply(points, function(i) value(coefficients, target, i), 0)
  }, all, targets)
}

expect_honest_path <- function(path, x, y, omega = rep(1, nrow(x)), tolerance = 1e-10) {
  inside <- path$by_class
  outside <- as.vector(t(outside_values(path, x, y, omega)))
  size <- pmax(abs(inside$value), abs(inside$bound), 1e-10)
  testthat::expect_true(all(abs(outside - inside$value) <= tolerance * size))
  testthat::expect_true(all(abs(inside$gap - (inside$value - inside$bound)) <= 1e-14 * size))
  testthat::expect_identical(inside$certified, inside$relative_gap <= inside$tol)
  testthat::expect_identical(path$certificate$certified,
                             path$certificate$relative_gap <= path$certificate$tol)
}

quiet_path <- function(...) {
  withCallingHandlers(
    margin_path(...),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning")
  )
}
