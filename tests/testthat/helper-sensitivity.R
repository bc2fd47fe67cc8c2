# Changed problems solved anew, the slow way: what margin_sensitivity() is
# compared with. The columns keep the scales of the fit, so the refits are on scaled columns.

# The interval of the optimal decision values of `new`: lower and upper ends. kappa_rule as `rule`.
changed_optimum <- function(fit, x, y, omega, new, rule = "cost", old = fit$weights,
                            tol = 1e-13) {
  settings <- fit$settings
  scaled <- function(x) sweep(as.matrix(x), 2L, fit$scales, `/`)
  used <- omega > 0
  lambda <- settings$lambda * if (rule == "cost") sum(old) / sum(omega) else 1
  best <- suppressWarnings(margin_linear(
    scaled(x)[used, , drop = FALSE], y[used], loss = settings$loss, lambda = lambda,
    mixture = settings$mixture, intercept = settings$intercept, scale = FALSE,
    weights = omega[used], response_scale = FALSE,
    control = margin_control(tol = tol, seed = 1, max_epochs = 3000, progress = FALSE)
  ))
  known <- margin_certain(best, scaled(x)[used, , drop = FALSE], y[used])
  found <- predict(known, scaled(new), data = scaled(x)[used, , drop = FALSE])
  as.matrix(found[c("lower", "upper")])
}
