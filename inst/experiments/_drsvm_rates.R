# Part of drsvm.R: the rates of its Theorem 4.3 on the data of Figure 1 (a) to (d), see
# _drsvm_epochs.R (1,000 rows, 100 features; the seed of an instance is its number), ISG with single
# rows in the same order.
#   rates: slope of the logarithm of the excess against passes (geometric steps, so that exp(slope)
#     is to be compared with rho) or against their logarithm (steps like 1/k with c = 1, predicted
#     -1; like 1/sqrt(k) with c = 0, predicted -1/2), over the second half of the passes.
#   linear: with rho = 0.999, the smallest excess so far at each certificate of one long run: does
#     it fall like rho^k where the problem is sharp?
# writes: drsvm_rates.csv drsvm_linear.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1 to 20 (instances of rates), 1 to 10 (of linear), 1 (solvers)

instances <- if (spotting) 1L else 1:20
draw_instance <- function(seed, n = 1000L, d = 100L, noise = 0.5) {
  set.seed(seed)
  truth <- rnorm(d)
  x <- matrix(rnorm(n * d), n)
  y <- ifelse(drop(x %*% truth) + noise * rnorm(n) >= 0, 1, -1)
  list(x = x, y = factor(y, c(-1, 1)))
}
best_of <- function(data, norm, kappa, ridge = 0) {
  best <- certificate(robust(data$x, data$y, norm, label_cost = kappa, ridge = ridge, tol = 1e-9,
                             max_epochs = 20000))
  if (best$gap > 1e-8) stop("no optimum to compare with")
  best
}
run_passes <- function(data, norm, kappa, solver, schedule, step, shrink, passes, ridge = 0) {
  last <- switch(schedule, geometric = max(shrink^(passes - 0.5), 1e-14),
                 inverse = 1 / (passes + 0.5), inverse_root = 1 / sqrt(passes + 0.5))
  options <- list(sampling = "cyclic", schedule = schedule, step = step, shrink = shrink,
                  floor = last)
  if (solver == "isg") options$batch <- 1
  fit <- robust(data$x, data$y, norm, label_cost = kappa, ridge = ridge, solver = solver,
                options = options, tol = 1e-14, max_epochs = 1e6)
  certificate(fit)$value
}

# ---- the rates of Theorem 4.3 --------------------------------------------------------------------
# (1) sharp: q = 1 and q = inf, geometric; (2) quadratic growth: c = 1 and steps like 1/k; (3) any:
# q = 2, kappa = 10 and steps like 1/sqrt(k).
rates <- data.frame(
  case = c("(1) q = 1", "(1) q = inf", "(2) q = 1, c = 1", "(2) q = inf, c = 1", "(3) q = 2"),
  norm = c("l1", "linf", "l1", "linf", "l2"), kappa = c(1, Inf, 1, 1, 10), ridge = c(0, 0, 1, 1, 0),
  schedule = c("geometric", "geometric", "inverse", "inverse", "inverse_root"),
  step = c(0.316, 1, 3, 3, 1), shrink = c(0.98, 0.98, 0.9, 0.9, 0.9)
)
decades <- round(10^seq(1.5, 3, length.out = 7))
at_passes <- list(geometric = seq(100, 400, by = 50), inverse = decades, inverse_root = decades)
rate_rows <- function(instance) {
  data <- draw_instance(instance)
  rows <- list()
  for (r in if (spotting) 3L else seq_len(nrow(rates))) {
    one <- rates[r, ]
    optimum <- best_of(data, one$norm, one$kappa, one$ridge)$bound
    at <- at_passes[[one$schedule]]
    for (solver in "isg") {
      excess <- vapply(at, function(k) {
        run_passes(data, one$norm, one$kappa, solver, one$schedule, one$step, one$shrink, k,
                   one$ridge) - optimum
      }, 0)
      half <- seq(ceiling(length(at) / 2), length(at))
      over <- if (one$schedule == "geometric") at[half] else log(at[half])
      slope <- stats::coef(stats::lm(log(pmax(excess[half], 1e-12)) ~ over))[[2L]]
      rows[[length(rows) + 1L]] <- data.frame(
        one, instance, method = solver, passes = max(at), excess = signif(min(excess), 4),
        measured = signif(if (one$schedule == "geometric") exp(slope) else slope, 4),
        predicted = switch(one$schedule, geometric = one$shrink, inverse = -1, inverse_root = -0.5)
      )
    }
  }
  do.call(rbind, rows)
}

# ---- linear convergence with a factor near 1 -----------------------------------------------------
linear_rows <- function(instance) {
  data <- draw_instance(instance)
  rows <- lapply(1:2, function(r) {
    one <- rates[r, c("case", "norm", "kappa", "ridge", "step")]
    optimum <- best_of(data, one$norm, one$kappa)$bound
    rho <- 0.999
    passes <- ceiling(log(1e-6) / log(rho))
    fit <- robust(data$x, data$y, one$norm, label_cost = one$kappa, solver = "isg",
                  options = list(sampling = "cyclic", batch = 1, step = one$step, shrink = rho,
                                 floor = rho^(passes - 0.5)), tol = 1e-14, max_epochs = 1e7)
    trace <- fit$trace
    own <- pmin(own_passes(trace$epoch), fit$status$steps)
    data.frame(one, row.names = NULL, shrink = rho, instance, method = "isg", passes = own,
               excess = signif(cummin(trace$value) - optimum, 4))
  })
  do.call(rbind, rows)
}
spot_none("drsvm_linear.csv", "a run has 14,000 passes")
if (!spotting) {
  linear <- do.call(rbind, lapply(1:10, linear_rows))
  save_results(linear, "linear", keys = c("case", "shrink", "instance", "method", "passes"),
               tolerance = 0.02)
}

# With "linear" only the last table is computed.
collected <- NULL
for (instance in if (!"linear" %in% arguments) instances) {
  collected <- rbind(collected, rate_rows(instance))
  save_results(collected, "rates", keys = c("case", "instance", "method"), skip = "step",
               tolerance = 0.02)
}
