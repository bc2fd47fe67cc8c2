# Part of drsvm.R: the rates of its Theorem 4.3 on the data of Figure 1 (a) to (d), see
# _drsvm_epochs.R (1,000 rows, 100 features; the seed of an instance is its number), ISG with single
# rows and IPPA in the same order.
#   rates: slope of the logarithm of the excess against passes (geometric steps, so that exp(slope)
#     is to be compared with rho) or against their logarithm (steps like 1/k with c = 1, predicted
#     -1; like 1/sqrt(k), predicted -1/2), over the second half of the passes. The same for the
#     distance to the optimal point, for which (1) predicts rho and (2) -1/2; (3) speaks of the
#     excess alone. For q = 2 (1) and (2) ask for bounded linear regularity: kappa = 1, where the
#     optimum lies inside the cone; (3) has kappa = 10, where it lies on it (`inside`).
#   linear: with rho = 0.999, the smallest excess so far at each certificate of one long run: does
#     it fall like rho^k where the problem is sharp?
#   distance: with rho = 0.999, how far the last point of ISG is from the optimal one after so many
#     passes, a run each, as (1) asks.
# writes: drsvm_rates.csv drsvm_linear.csv drsvm_distance.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1 to 20 (instances of rates), 1 to 10 (of linear and distance), 1 (solvers)

instances <- if (spotting) 1L else 1:20
best_of <- function(data, norm, kappa, ridge = 0) {
  fit <- robust(data$x, data$y, norm, label_cost = kappa, ridge = ridge, tol = 1e-9,
                max_epochs = 20000)
  best <- certificate(fit)
  if (best$gap > 1e-8) stop("no optimum to compare with")
  size <- switch(norm, l1 = sum(abs(coef(fit))), l2 = sqrt(sum(coef(fit)^2)),
                 linf = max(abs(coef(fit))))
  list(bound = best$bound, point = c(coef(fit), fit$norm_bound),
       inside = size < 0.999 * fit$norm_bound)
}
run_passes <- function(data, norm, kappa, solver, schedule, step, shrink, passes, ridge = 0) {
  last <- switch(schedule, geometric = max(shrink^(passes - 0.5), 1e-14),
                 inverse = 1 / (passes + 0.5), inverse_root = 1 / sqrt(passes + 0.5))
  options <- list(sampling = "cyclic", schedule = schedule, step = step, shrink = shrink,
                  floor = last, iterate = "last")
  if (solver == "isg") options$batch <- 1
  fit <- robust(data$x, data$y, norm, label_cost = kappa, ridge = ridge, solver = solver,
                options = options, tol = 1e-14, max_epochs = 1e6)
  # the excess is the smallest so far, the distance that of the last point
  list(value = min(fit$trace$value), point = c(coef(fit), fit$norm_bound))
}

# ---- the rates of Theorem 4.3 --------------------------------------------------------------------
# (1) sharp: geometric; (2) quadratic growth: c = 1 and steps like 1/k; (3) any: steps like
# 1/sqrt(k).
rates <- data.frame(
  case = c("(1) q = 1", "(1) q = inf", "(1) q = 2", "(2) q = 1, c = 1", "(2) q = inf, c = 1",
           "(2) q = 2, c = 1", "(3) q = 2", "(3) q = 2, c = 1"),
  norm = c("l1", "linf", "l2", "l1", "linf", "l2", "l2", "l2"),
  kappa = c(1, Inf, 1, 1, 1, 1, 10, 10), ridge = c(0, 0, 0, 1, 1, 1, 0, 1),
  schedule = rep(c("geometric", "inverse", "inverse_root"), c(3, 3, 2)),
  step = c(0.316, 1, 0.316, 3, 3, 3, 1, 1), shrink = rep(c(0.98, 0.9), c(3, 5))
)
decades <- round(10^seq(1.5, 3, length.out = 7))
at_passes <- list(geometric = seq(100, 400, by = 50), inverse = decades, inverse_root = decades)
rate_rows <- function(instance) {
  data <- draw_instance(instance)
  rows <- list()
  for (r in if (spotting) 3L else seq_len(nrow(rates))) {
    one <- rates[r, ]
    optimum <- best_of(data, one$norm, one$kappa, one$ridge)
    at <- at_passes[[one$schedule]]
    half <- seq(ceiling(length(at) / 2), length(at))
    over <- if (one$schedule == "geometric") at[half] else log(at[half])
    rate_of <- function(sizes) {
      slope <- stats::coef(stats::lm(log(pmax(sizes[half], 1e-12)) ~ over))[[2L]]
      signif(if (one$schedule == "geometric") exp(slope) else slope, 4)
    }
    for (solver in c("isg", "ippa")) {
      ends <- lapply(at, function(k) {
        run_passes(data, one$norm, one$kappa, solver, one$schedule, one$step, one$shrink, k,
                   one$ridge)
      })
      excess <- vapply(ends, `[[`, 0, "value") - optimum$bound
      away <- vapply(ends, function(end) sqrt(sum((end$point - optimum$point)^2)), 0)
      rows[[length(rows) + 1L]] <- data.frame(
        one, instance, method = solver, passes = max(at), excess = signif(min(excess), 4),
        measured = rate_of(excess), away = signif(utils::tail(away, 1L), 3),
        distance = rate_of(away), inside = optimum$inside,
        predicted = switch(one$schedule, geometric = one$shrink, inverse = -1, inverse_root = -0.5)
      )
    }
  }
  do.call(rbind, rows)
}

# ---- linear convergence with a factor near 1 -----------------------------------------------------
linear_rows <- function(instance, cases = 1:2, methods = c("isg", "ippa"), max_epochs = 1e7) {
  data <- draw_instance(instance)
  rows <- lapply(cases, function(r) {
    one <- rates[r, c("case", "norm", "kappa", "ridge", "step")]
    optimum <- best_of(data, one$norm, one$kappa)$bound
    rho <- 0.999
    passes <- ceiling(log(1e-6) / log(rho))
    runs <- lapply(methods, function(solver) {
      options <- list(sampling = "cyclic", step = one$step, shrink = rho,
                      floor = rho^(passes - 0.5))
      if (solver == "isg") options$batch <- 1
      fit <- robust(data$x, data$y, one$norm, label_cost = one$kappa, solver = solver,
                    options = options, tol = 1e-14, max_epochs = max_epochs)
      trace <- fit$trace
      own <- pmin(own_passes(trace$epoch), fit$status$steps)
      data.frame(one, row.names = NULL, shrink = rho, instance, method = solver, passes = own,
                 excess = signif(cummin(trace$value) - optimum, 4))
    })
    do.call(rbind, runs)
  })
  do.call(rbind, rows)
}
distance_rows <- function(instance) {
  data <- draw_instance(instance)
  cells <- expand.grid(passes = if (spotting) 500 else c(500, 1000, 2000, 4000), case = if (spotting) 1L else 1:2)
  optima <- lapply(unique(cells$case), function(r) best_of(data, rates$norm[r], rates$kappa[r]))
  rows <- Map(function(passes, r) {
    one <- rates[r, c("case", "norm", "kappa", "step")]
    end <- run_passes(data, one$norm, one$kappa, "isg", "geometric", one$step, 0.999, passes)
    data.frame(one, shrink = 0.999, instance, method = "isg", passes,
               excess = signif(end$value - optima[[r]]$bound, 4),
               away = signif(sqrt(sum((end$point - optima[[r]]$point)^2)), 4))
  }, cells$passes, cells$case)
  do.call(rbind, rows)
}
# one instance after the other, beside those of the file
for (instance in if (spotting) 1L else if (!any(c("short", "linear") %in% arguments)) 1:10) {
  fresh <- distance_rows(instance)
  keys <- c("case", "instance", "method", "passes")
  save_results(upsert(fresh, "drsvm_distance.csv", keys), "distance", fresh = fresh, keys = keys,
               tolerance = 0.02, seeds = c(paste(instance, "(instance)"), "1 (solver)"))
}

if (spotting || !any(c("short", "distance") %in% arguments)) {
  linear <- if (spotting) linear_rows(1L, 1L, "isg", 500) else
    do.call(rbind, lapply(1:10, linear_rows))
  save_results(linear, "linear", keys = c("case", "shrink", "instance", "method", "passes"),
               tolerance = 0.02, seeds = "1 to 10 (instances), 1 (solvers)")
}

# With "distance" or "linear" only these tables are computed, with "short" only the next, with "--resume"
# what it lacks.
before <- file.path(folder, "drsvm_rates.csv")
collected <- if ("--resume" %in% arguments && length(read_table(before))) {
  found <- read_table(before)
  found[setdiff(names(found), names(origin))]
}
todo <- setdiff(if (!any(c("linear", "distance") %in% arguments)) instances, collected$instance)
for (k in seq_along(todo)) {
  fresh <- rate_rows(todo[k])
  collected <- rbind(collected, fresh)
  save_results(collected, "rates", fresh = fresh, keys = c("case", "instance", "method"),
               skip = "step", tolerance = 0.02,
               seeds = paste(c(toString(todo[seq_len(k)]), "1"), c("(instances)", "(solvers)")))
}
