# Part of linear_peers.R: our fit of a cell, the primal value of a peer's, and
# the tolerance of its own that a peer is credited with. A cell and data are as in _peers.R; `slow`
# is the number of seconds of one run after which a peer is given up.

objective <- function(data, cell, w, b = 0) {
  z <- as.vector(data$x %*% w) + b
  m <- data$y * z
  phi <- switch(cell$loss, hinge = pmax(0, 1 - m), squared_hinge = pmax(0, 1 - m)^2,
                squared = (z - data$y)^2 / 2, logistic = pmax(0, -m) + log1p(exp(-abs(m))))
  mean(phi) + cell$lambda * (if (cell$mixture == 1) sum(abs(w)) else sum(w^2) / 2)
}

ours <- function(data, cell, tol, max_seconds = Inf, solver = "auto") {
  loss <- if (cell$loss == "squared_hinge") loss_squared_hinge(0.5) else cell$loss
  y <- if (cell$loss == "squared") data$y else factor(data$y, c(-1, 1))
  timed(margin_linear(
    data$x, y, loss = loss, lambda = cell$lambda, mixture = cell$mixture, scale = FALSE,
    intercept = cell$intercept, solver = solver,
    control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 1e6,
                             max_seconds = max_seconds)
  ))
}

# The loosest tolerance that reaches the target, or the best value seen and why it went no further.
find_tolerance <- function(peer, data, cell, target) {
  found <- list(tolerance = NA, value = Inf, seconds = NA, outcome = "not reached")
  attempt <- function(tol) {
    gc(FALSE)
    fit <- peer$run(data, cell, tol)
    value <- if (is.null(fit$error)) {
      objective(data, cell, fit$w, if (is.null(fit$b)) 0 else fit$b)
    } else {
      Inf
    }
    list(value = value, seconds = fit$seconds, reached = is.finite(value) && value <= target)
  }
  same <- 0L
  for (tol in peer$ladder) {
    try <- attempt(tol)
    found$seconds <- try$seconds
    same <- if (try$value < found$value * (1 - 1e-9)) 0L else same + 1L
    found$value <- min(found$value, try$value)
    if (try$reached) {
      found$outcome <- "reached"
      found$tolerance <- tol
      between <- tol * sqrt(10)
      if (tol < peer$ladder[1L] && try$seconds < slow && attempt(between)$reached) {
        found$tolerance <- between
      }
      break
    }
    if (try$seconds > slow) {
      found$outcome <- sprintf("not reached in %.0f s", try$seconds)
      break
    }
    if (same >= 4L) break  # it ran into a limit of its own
  }
  found
}
