# A kernel fit without some rows: refits in which they have no weight, warm and tighter until the
# rows that left are decided. Rows are those that the kernel saw: a refit does not scale or centre.

refit_kernel_removals <- function(pair, rows, sets, kappa, is_open) {
  if (length(sets) == 0L) {
    return(list())
  }
  x <- rows$frame$x
  colnames(x) <- feature_names(NULL, ncol(x))
  base <- refit_kernel_without(pair, rows, x, integer(), pair$mu * pair$total, 1e-4)
  lapply(seq_along(sets), function(k) {
    out <- sets[[k]]
    ends <- cbind(rep(-Inf, length(out)), rep(Inf, length(out)))
    start <- base
    steps <- 0L
    for (tol in 10^-c(4, 6, 8, 10, 12)) {
      start <- refit_kernel_without(pair, rows, x, out, kappa[k], tol, start)
      steps <- steps + 1L
      ends <- narrowed(ends, refitted_kernel_ends(start, x, out))
      if (!is_open(out, ends)) break
    }
    list(ends = ends, how = "refit", steps = steps)
  })
}

refit_kernel_without <- function(pair, rows, x, out, kappa, tol, start = NULL) {
  settings <- rows$kernel_fit$settings
  omega <- replace(pair$omega, out, 0)
  y <- if (all(pair$y %in% c(-1, 1))) factor(pair$y, c(-1, 1)) else pair$y
  control <- margin_control(tol = tol, progress = FALSE, seed = 1, start = start,
                            threads = settings$control$threads)
  withCallingHandlers(
    margin_kernel(x, y, kernel = settings$kernel, loss = pair$loss$loss,
                  lambda = kappa / sum(omega), intercept = settings$intercept, center = FALSE,
                  scale = FALSE, weights = omega, response_scale = FALSE, control = control),
    dualmargin_not_certified = function(condition) invokeRestart("muffleWarning"),
    dualmargin_message = function(condition) invokeRestart("muffleMessage")
  )
}

# The ends of the rows that left, by the ball of the refit; a free intercept around each of them.
refitted_kernel_ends <- function(fit, x, out) {
  rows <- kernel_geometry(fit, x)
  support <- kernel_frame(fit, fit$support$x)
  problem <- kernel_problem(fit, 1L, rows$frame, frame_points(fit, support), rows$squares,
                            sqrt(self_kernel(fit, support)))
  known <- list(fit = fit, problems = list(problem))
  left <- kernel_frame(fit, x[out, , drop = FALSE])
  sharpened_kernel(known, kernel_intervals(known, left), left, rows$frame)[[1L]]
}
