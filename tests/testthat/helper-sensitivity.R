# Changed problems solved anew, the slow way: what margin_sensitivity() and margin_flips() are
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

# A random change of a random problem: what margin_sensitivity() takes, and the rows it makes.
random_change <- function(problem, seed) {
  set.seed(seed + 7e6)
  n <- nrow(problem$x)
  omega <- problem$arguments$weights
  if (is.null(omega)) omega <- rep(1, n)
  y <- problem$y
  change <- list()
  x <- problem$x
  if (runif(1) < 0.4) {
    change$weights <- omega <- pmax(0, omega + sample(c(0, 0, 0, 1, -0.5), n, TRUE))
  }
  if (runif(1) < 0.4) {
    flipped <- sample(n, sample(2L, 1L))
    change$relabel <- replace(rep(NA, n), flipped, as.character(rev(levels(y))[y[flipped]]))
    y[flipped] <- rev(levels(y))[y[flipped]]
  }
  if (runif(1) < 0.6 || length(change) == 0L) {
    change$remove <- sample(n, sample(3L, 1L))
    omega[change$remove] <- 0
  }
  if (runif(1) < 0.4) {
    more <- x[sample(n, 2L), , drop = FALSE] * 1.3
    labels <- factor(sample(levels(y), 2L, TRUE), levels = levels(y))
    change$add <- list(x = more, y = labels)
    x <- rbind(x, more)
    y <- factor(c(as.character(y), as.character(labels)), levels = levels(y))
    omega <- c(omega, 1, 1)
  }
  list(arguments = change, x = x, y = y, omega = omega, rule = sample(c("cost", "lambda"), 1L))
}
