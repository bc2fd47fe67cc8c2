# The stochastic methods once more, in plain R and as dense as they are printed: the same draws must
# give the same iterates. Ridge or elastic net, no intercept, weights; `draws` are rows from 1.

row_draws <- function(seed, n, epochs) {
  probe("sampler", seed, "below", n, n * epochs, 1) + 1
}

soft <- function(v, t) sign(v) * pmax(abs(v) - t, 0)

plain_problem <- function(loss, mixture = 0, lambda = 0.1, n = 30L, p = 4L, seed = 5L) {
  problem <- small_problem(n, p, seed)
  y <- if (loss$task != "classification") problem$response else problem$y
  list(x = unname(problem$x), y = y, omega = problem$weights, W = sum(problem$weights),
       n = n, p = p, loss = loss, l1 = lambda * mixture, l2 = lambda * (1 - mixture),
       lambda = lambda, mixture = mixture,
       slope = function(z, i) probe_loss(loss, "slope", z, y[i]),
       dual_step = function(z, i, a, q) probe_loss(loss, "dual_step", z, y[i], a, q),
       row_smoothness = max(problem$weights * rowSums(problem$x^2)) /
         (sum(problem$weights) * loss$gamma))
}

# The fit of the package after so many epochs.
fit_epochs <- function(p, solver, epochs, seed, ...) {
  y <- if (p$loss$task != "classification") p$y else factor(p$y)
  control <- margin_control(tol = 1e-300, max_epochs = epochs, seed = seed,
                            certify_every_epoch = TRUE, solver_options = list(...))
  without_notes(quiet_fit(p$x, y, loss = p$loss, lambda = p$lambda, mixture = p$mixture,
                          intercept = "none", scale = FALSE, weights = p$omega, solver = solver,
                          response_scale = FALSE, control = control))
}

dual_sum <- function(p, a) colSums(p$omega * a * p$x) / p$W

# Smooth losses to try a method on, with a penalty that has an l1 part or not.
iterate_cases <- function() {
  losses <- loss_table()
  losses <- losses[losses$smooth & losses$task != "regression", ]
  cases <- expand.grid(loss = losses$name,
                       mixture = c(0, 0.4), stringsAsFactors = FALSE)
  split(cases, seq_len(nrow(cases)))
}

for_each_case <- function(check, lambda = 0.1) {
  for (case in iterate_cases()) {
    check(plain_problem(as_loss(case$loss), case$mixture, lambda))
  }
}
