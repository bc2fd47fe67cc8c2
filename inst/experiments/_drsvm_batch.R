# Part of drsvm.R: Figure 1 (e) and (f) on twenty instances, random subsets of 80 % of the
# rows of a1a: ISG by the size of its batches, IPPA, and the hybrid (batches of 16 until the step is
# below 0.3), q = 1, kappa = 1, geometric steps, 200 passes. Each method takes the one of its ten
# settings (five first steps, two factors) with the smallest value at the end, on each instance; the
# search is not charged. Passes are those of the method alone; seconds are those of the processor,
# certificates included, which take alike shares of all. The excess is over the certified bound.
#   batch   excess at each certificate of the best setting
#   arrival seconds and passes until the excess is at most `target`, the least over the settings
#           (between two certificates the logarithm of the excess is taken to be linear); NA where
#           none gets there within 200 passes
# writes: drsvm_batch.csv drsvm_arrival.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1 to 20 (rows), 1 (solvers)

batch_instances <- if (spotting) 1L else 1:20
batch_passes <- 200L
batch_targets <- 10^-(2:4)
batch_methods <- data.frame(method = c(rep("isg", 5L), "ippa", "hybrid"),
                            batch = c(1, 4, 16, 64, 256, NA, 16))
batch_run <- function(x, y, method, batch, step, shrink, bound) {
  options <- list(sampling = "cyclic", schedule = "geometric", step = step, shrink = shrink,
                  floor = max(shrink^(batch_passes - 0.5), 1e-14))
  if (!is.na(batch)) options$batch <- batch
  if (method == "hybrid") options$change <- 0.3
  taken <- system.time({
    fit <- robust(x, y, "l1", solver = method, options = options, tol = 1e-12, max_epochs = 1e6)
  })
  trace <- fit$trace
  busy <- min(1, sum(taken[1:2]) / taken[[3L]])
  data.frame(passes = pmin(own_passes(trace$epoch), fit$status$steps),
             seconds = busy * trace$seconds, excess = cummin(trace$value - bound))
}
batch_arrival <- function(run, target) {
  k <- which(run$excess <= target)[1L]
  if (is.na(k)) {
    return(c(NA, NA))
  }
  from <- max(1L, k - 1L)
  logs <- log(c(run$excess[from], run$excess[k], target))
  share <- if (from == k) 1 else (logs[1L] - logs[3L]) / (logs[1L] - logs[2L])
  vapply(run[c("seconds", "passes")], function(x) x[from] + share * (x[k] - x[from]), 0)
}
settings <- expand.grid(step = 10^seq(-1, 1, by = 0.5), shrink = c(0.95, 0.98))
traced <- arrivals <- list()
for (instance in batch_instances) {
  set.seed(instance)
  rows <- sort(sample(nrow(a1a$x), round(0.8 * nrow(a1a$x))))
  x <- a1a$x[rows, ]
  y <- factor(a1a$y[rows])
  bound <- certificate(robust(x, y, "l1", tol = 1e-9, max_epochs = 20000))$bound
  for (m in seq_len(nrow(batch_methods))) {
    one <- batch_methods[m, ]
    runs <- lapply(seq_len(nrow(settings)), function(k) {
      batch_run(x, y, one$method, one$batch, settings$step[k], settings$shrink[k], bound)
    })
    best <- which.min(vapply(runs, function(run) min(run$excess), 0))
    run <- runs[[best]]
    run <- run[!duplicated(run$passes) & run$passes > 0, ]
    traced[[length(traced) + 1L]] <- data.frame(
      instance, one, settings[best, ], passes = run$passes, seconds = signif(run$seconds, 3),
      excess = signif(run$excess, 4), row.names = NULL
    )
    for (target in batch_targets) {
      reached <- vapply(runs, batch_arrival, c(0, 0), target)
      least <- apply(reached, 1L, function(x) if (all(is.na(x))) NA else min(x, na.rm = TRUE))
      arrivals[[length(arrivals) + 1L]] <- data.frame(
        instance, one, target, seconds = signif(least[[1L]], 3), passes = signif(least[[2L]], 3),
        row.names = NULL
      )
    }
  }
  save_results(do.call(rbind, traced), "batch",
               keys = c("instance", "method", "batch", "step", "shrink", "passes"))
  save_results(do.call(rbind, arrivals), "arrival",
               keys = c("instance", "method", "batch", "target"))
}
