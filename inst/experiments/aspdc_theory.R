# The bounds of the ASPDC paper beside measurements: inequality (10) and Theorem 1 for ASPDC where
# lambda >= 4 / (n gamma), Theorem 2 for Algorithm 2 of ASPDC-i, with Algorithm 3 beside it.
# H. Liang and others (2022), Electronics 11, 2382. Problems as in aspdc.R: smooth hinge loss
# (gamma = 1), a column of ones, then rows of norm 1, no intercept; rows drawn with replacement.
#   (10)       E(P - D) after t steps <= 2n (1 - 1/(2n))^t (P0 - D0)
#   Theorem 1  steps until E(P - D) <= eps: 2n log(2n (P0 - D0) / eps)
#   Theorem 2  calls of Algorithm 2 until P - P* <= eps: 1 + 2/eta log(xi_1 / eps), with eta =
#              lambda / (lambda + 2 kappa), kappa = 4/n - lambda, xi_1 = (1 + 1/eta) (P0 - D0)
#   sharper    a step raises D by (1 - 1/s)/n of the gap or more, s = lambda n gamma, so that
#              E(P - D) <= n / (1 - 1/s) (1 - (1 - 1/s)/n)^t (D* - D0)
# "censored": runs that ended at the limit of epochs before they arrived; `median`, `smallest` and
# `largest` are then of the limit for those. "each": the runs, seed by seed.
# Usage: DUALMARGIN_DATA=<data sets> Rscript aspdc_theory.R [folder for the results] [--spot]
# writes: aspdc_theory_gaps.csv aspdc_theory_steps.csv
# depends: core src/linear R/margin_linear.R R/loss.R
# seeds: 1 to 20 (solvers)

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
require_data()
seeds <- 1:20
limit <- 2000

prepared <- function(name) {
  data <- margin_data(name)
  list(x = unit_rows(cbind(1, data$x)), y = data$y, n = nrow(data$x))
}
fit <- function(set, lambda, solver, options, tol, seed, max_epochs = limit) {
  control <- margin_control(tol = tol, max_epochs = max_epochs, seed = seed, progress = FALSE,
                            certify_every_epoch = TRUE, solver_options = options)
  quietly(margin_linear(set$x, set$y, loss = loss_smooth_hinge(1), lambda = lambda, mixture = 0,
                        intercept = "none", scale = FALSE, solver = solver, control = control))
}
# Until the gap is at most `gap`: the relative gap at which to stop.
until <- function(set, lambda, solver, options, gap, value, seed) {
  fit(set, lambda, solver, options, 0.9 * gap / value, seed)$trace
}

sources <- c(a9a = "a9a", ijcnn1 = "ijcnn1", covtype = "covtype_sub92962")
sets <- lapply(if (spotting) sources["a9a"] else sources, prepared)
gaps <- steps <- list()
summary_of <- function(reached, limit) {
  reached <- ifelse(is.na(reached), limit, reached)
  data.frame(median = signif(stats::median(reached), 5), smallest = signif(min(reached), 5),
             largest = signif(max(reached), 5))
}
note_steps <- function(data, lambda, method, unit, eps, bound, reached, sharper = NA) {
  steps[[length(steps) + 1L]] <<- data.frame(
    data, n = sets[[data]]$n, lambda, method, unit, eps, bound = signif(bound, 5),
    sharper = signif(sharper, 5), summary_of(reached, limit), runs = length(reached),
    censored = sum(is.na(reached)), each = paste(reached, collapse = " ")
  )
}

for (data in names(sets)) {
  set <- sets[[data]]
  n <- set$n
  # ---- inequality (10) and Theorem 1 ----
  for (lambda in if (spotting) 1e-2 else c(1e-2, 1e-3, 4 / n)) {
    s <- lambda * n
    best <- certificate(fit(set, lambda, "auto", list(), 1e-12, 1))
    runs <- lapply(seeds, function(seed) {
      until(set, lambda, "aspdc", list(sampling = "uniform"), 1e-8, best$value, seed)
    })
    start <- runs[[1L]]$gap[1L]
    stopifnot(runs[[1L]]$epoch[1L] == 0)
    below <- best$value - (runs[[1L]]$value[1L] - start)
    rate <- (1 - 1 / s) / n
    epochs <- 0:min(vapply(runs, function(run) floor(max(run$epoch)), 0))
    at <- vapply(runs, function(run) run$gap[match(epochs, round(run$epoch, 6))],
                 numeric(length(epochs)))
    gaps[[length(gaps) + 1L]] <- data.frame(
      data, n, lambda, s = signif(s, 5), epoch = epochs, mean = signif(rowMeans(at), 4),
      smallest = signif(apply(at, 1L, min), 4), largest = signif(apply(at, 1L, max), 4),
      bound = signif(2 * n * (1 - 1 / (2 * n))^(epochs * n) * start, 4),
      sharper = signif(below / rate * (1 - rate)^(epochs * n), 4), runs = length(seeds)
    )
    for (eps in c(1e-2, 1e-4, 1e-6)) {
      reached <- vapply(runs, function(run) run$epoch[which(run$gap <= eps)[1L]], 0)
      note_steps(data, lambda, "ASPDC", "passes", eps, 2 * log(2 * n * start / eps), reached,
                 log(below / rate / eps) / (rate * n))
    }
    message(format(Sys.time(), "%T "), data, ", lambda ", signif(lambda, 3))
  }
  # ---- Theorem 2 ----
  for (lambda in if (!spotting) c(1e-5, 1e-6)) {
    if (lambda * n >= 4) next
    best <- certificate(fit(set, lambda, "auto", list(), 1e-10, 1))
    kappa <- 4 / n - lambda
    eta <- lambda / (lambda + 2 * kappa)
    for (schedule in c("tolerance", "passes")) {
      method <- c(tolerance = "ASPDC-i, Algorithm 2", passes = "ASPDC-i, Algorithm 3")[[schedule]]
      options <- list(sampling = "uniform", schedule = schedule, inner_passes = 2, strength = 4)
      runs <- lapply(seeds, function(seed) {
        until(set, lambda, "aspdc_i", options, 1e-6, best$value, seed)
      })
      start <- runs[[1L]]$gap[1L]
      xi <- (1 + 1 / eta) * start
      for (eps in c(1e-4, 1e-6)) {
        # a row of the trace is the end of a call; the first one is the start
        near <- lapply(runs, function(run) which(run$value - best$bound <= eps)[1L])
        if (schedule == "tolerance") {
          note_steps(data, lambda, method, "calls, P - P*", eps, 1 + 2 / eta * log(xi / eps),
                     unlist(near) - 1)
        }
        note_steps(data, lambda, method, "passes, P - P*", eps, NA,
                   mapply(function(run, at) run$epoch[at], runs, near))
        note_steps(data, lambda, method, "passes, P - D", eps, NA,
                   vapply(runs, function(run) run$epoch[which(run$gap <= eps)[1L]], 0))
      }
    }
    message(format(Sys.time(), "%T "), data, ", lambda ", lambda)
  }
}
write_results(do.call(rbind, gaps), "aspdc_theory_gaps.csv",
              keys = c("data", "lambda", "epoch"), tolerance = 0.02)
write_results(do.call(rbind, steps), "aspdc_theory_steps.csv",
              keys = c("data", "lambda", "method", "unit", "eps"), tolerance = 0.02)
