# Leave-one-out by refits, the slow way: what margin_loo() is compared with. The columns keep the
# scales of all rows, so the refits are on scaled columns.

refitted_scores <- function(fit, x, y, rule, sets = as.list(seq_len(nrow(x)))) {
  settings <- fit$settings
  scaled <- sweep(as.matrix(x), 2L, fit$scales, `/`)
  omega <- fit$weights
  ends <- matrix(NA_real_, nrow(x), 3L)
  for (out in sets) {
    total <- sum(omega)
    left <- total - sum(omega[out])
    lambda <- settings$lambda * if (rule == "cost") total / left else 1
    best <- suppressWarnings(margin_linear(
      scaled[-out, , drop = FALSE], y[-out], loss = settings$loss, lambda = lambda,
      mixture = settings$mixture, intercept = settings$intercept, scale = FALSE,
      weights = omega[-out], response_scale = FALSE,
      control = margin_control(tol = 1e-13, seed = 1, max_epochs = 3000, progress = FALSE)
    ))
    known <- margin_certain(best, scaled[-out, , drop = FALSE], y[-out])
    found <- predict(known, scaled[out, , drop = FALSE], data = scaled[-out, , drop = FALSE])
    ends[out, ] <- as.matrix(found[c("score", "lower", "upper")])
  }
  ends
}
