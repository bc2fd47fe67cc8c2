# The optimum without some rows where Newton steps are not to be had: refits on the rows that stay,
# warm and tighter until the rows that left are decided.

refit_removals <- function(pair, rows, sets, kappa, is_open) {
  if (length(sets) == 0L) {
    return(list())
  }
  base <- refit_without(pair, rows, integer(), pair$mu * pair$total, 1e-4)
  lapply(seq_along(sets), function(k) {
    refit_removal(pair, rows, sets[[k]], kappa[k], is_open, base)
  })
}

refit_removal <- function(pair, rows, out, kappa, is_open, base) {
  ends <- cbind(rep(-Inf, length(out)), rep(Inf, length(out)))
  start <- base
  steps <- 0L
  for (tol in 10^-c(4, 6, 8, 10, 12)) {
    fit <- refit_without(pair, rows, out, kappa, tol, start)
    start <- fit
    steps <- steps + 1L
    ends <- narrowed(ends, refitted_interval(pair, rows, out, kappa, fit))
    if (!is_open(out, ends)) break
  }
  list(ends = ends, how = "refit", steps = steps)
}

# The rows are scaled already, with a column of ones for a penalised intercept.
refit_without <- function(pair, rows, out, kappa, tol, start = NULL) {
  keep <- setdiff(seq_along(pair$y), out)
  keep <- keep[pair$omega[keep] > 0]
  omega <- pair$omega[keep]
  x <- rows$x[keep, , drop = FALSE]
  colnames(x) <- feature_names(NULL, ncol(x))
  y <- if (all(pair$y %in% c(-1, 1))) factor(pair$y[keep], c(-1, 1)) else pair$y[keep]
  control <- margin_control(tol = tol, progress = FALSE, seed = 1, start = start)
  mixture <- pair$l1 / (pair$l1 + pair$mu)
  withCallingHandlers(
    margin_linear(x, y, loss = pair$loss$loss, lambda = kappa / (1 - mixture) / sum(omega),
                  mixture = mixture, intercept = if (pair$free) "free" else "none",
                  scale = FALSE, weights = omega, response_scale = FALSE, control = control),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"),
    dualmargin_message = function(condition) invokeRestart("muffleMessage")
  )
}

refitted_interval <- function(pair, rows, out, kappa, fit) {
  keep <- setdiff(seq_along(pair$y), out)
  keep <- keep[pair$omega[keep] > 0]
  less <- rows
  less$x <- rows$x[keep, , drop = FALSE]
  less$squares <- rows$squares[keep]
  coefficients <- unname(stats::coef(fit))
  w <- if (pair$free) coefficients[-1L] else coefficients
  b <- if (pair$free) coefficients[1L] + sum(rows$shift * w) else 0
  total <- sum(pair$omega[keep])
  smaller <- scored_pair(list(
    w = w, b = b, a = as.vector(fit$dual), y = pair$y[keep], omega = pair$omega[keep],
    loss = pair$loss, free = pair$free, l1 = kappa * pair$l1 / pair$mu / total, mu = kappa / total
  ), less)
  ball <- optimum_ball(smaller)
  curved <- curved_ends(smaller, less, ball, rows, out)
  ends <- vapply(out, function(i) {
    x <- drop(bordered_rows(rows, i, FALSE))
    if (pair$free) {
      return(score_at(smaller, ball, less, x))
    }
    score <- sum(x * ball$centre)
    half <- ball$radius * sqrt(rows$squares[i]) +
      score_roundings(length(x)) * sum((abs(x) + 2 * abs(rows$moved)) * abs(ball$centre))
    c(score - half, score + half)
  }, numeric(2L))
  if (is.null(curved)) t(ends) else narrowed(t(ends), curved)
}
