# Part of drsvm.R: Figure 1 of the paper. (a) to (d): ISG and IPPA, both one row at a time, on data
# drawn as in its section 5.1, with steps that fall geometrically, like 1/k and like 1/sqrt(k). The
# paper does not say which instances it drew; ours are
#   a: q = 1, b: q = inf, both sharp since they are linear programs; c: q = 2 with kappa = 1, where
#   the optimum lies inside the cone (so BLR); d: q = 2 with kappa = 10, where it lies on the cone.
# (e): ISG on a1a, q = 1, by the size of its batches; (f): there too, the hybrid beside both.
# Every method and every way to shorten the steps has its first step from one grid: the one with the
# smallest value at the end. Values are the best so far, those of the paper may be the newest.

draw <- function(n = 1000L, d = 100L, noise = 0.5) {
  set.seed(2020)
  truth <- rnorm(d)
  x <- matrix(rnorm(n * d), n)
  list(x = x, y = ifelse(drop(x %*% truth) + noise * rnorm(n) >= 0, 1, -1))
}
synthetic <- draw()
panels <- list(
  a = list(data = synthetic, norm = "l1", kappa = 1, methods = c("isg", "ippa"), epochs = 60L),
  b = list(data = synthetic, norm = "linf", kappa = 1, methods = c("isg", "ippa"), epochs = 60L),
  c = list(data = synthetic, norm = "l2", kappa = 1, methods = c("isg", "ippa"), epochs = 60L),
  d = list(data = synthetic, norm = "l2", kappa = 10, methods = c("isg", "ippa"), epochs = 60L),
  e = list(data = a1a, norm = "l1", kappa = 1, methods = "isg", epochs = 100L),
  f = list(data = a1a, norm = "l1", kappa = 1, methods = c("ippa", "hybrid"), epochs = 100L)
)
steps <- 10^seq(-2, 2, by = 0.5)
shrinks <- c(0.5, 0.7, 0.8, 0.9, 0.95)
schedules <- rbind(data.frame(schedule = "geometric", shrink = shrinks),
                   data.frame(schedule = c("inverse", "inverse_root"), shrink = 0.95))
# The step below which a run ends: that of the epoch after the last.
last_step <- function(schedule, shrink, epochs) {
  switch(schedule, geometric = max(shrink^(epochs - 0.5), 1e-14), inverse = 1 / (epochs + 0.5),
         inverse_root = 1 / sqrt(epochs + 0.5))
}
run <- function(panel, setting, every) {
  options <- list(schedule = setting$schedule, step = setting$step, shrink = setting$shrink,
                  floor = last_step(setting$schedule, setting$shrink, panel$epochs))
  if (!is.na(setting$batch)) options$batch <- setting$batch
  if (!is.na(setting$change)) options$change <- setting$change
  robust(panel$data$x, panel$data$y, panel$norm, label_cost = panel$kappa, solver = setting$method,
         options = options, tol = 1e-12, max_epochs = 1e6, every = every)
}

grid <- list()
traces <- list()
for (name in names(panels)) {
  panel <- panels[[name]]
  best <- robust(panel$data$x, panel$data$y, panel$norm, label_cost = panel$kappa, tol = 1e-9,
                 max_epochs = 20000)
  optimum <- certificate(best)
  size <- switch(panel$norm, l1 = sum(abs(coef(best))), l2 = sqrt(sum(coef(best)^2)),
                 linf = max(abs(coef(best))))
  ways <- schedules
  if (name %in% c("e", "f")) ways <- ways[ways$schedule == "geometric", ]
  settings <- merge(merge(ways, data.frame(step = steps)), data.frame(method = panel$methods))
  settings$batch <- ifelse(settings$method == "ippa", NA, 1)
  settings$change <- NA
  if (name == "e") settings <- merge(settings[names(settings) != "batch"],
                                     data.frame(batch = c(1, 4, 16, 64, 256)))
  if (name == "f") {
    hybrid <- merge(settings[settings$method == "hybrid", names(settings) != "change"],
                    data.frame(change = c(0.3, 0.1, 0.01)))
    hybrid$batch <- 16
    settings <- rbind(settings[settings$method == "ippa", ], hybrid[names(settings)])
  }
  settings$excess <- vapply(seq_len(nrow(settings)), function(k) {
    certificate(run(panel, settings[k, ], FALSE))$value - optimum$bound
  }, 0)
  settings$excess <- signif(settings$excess, 4)
  grid[[name]] <- data.frame(panel = name, norm = panel$norm, kappa = panel$kappa, settings,
                             epochs = panel$epochs, optimum = optimum$value,
                             optimum_gap = signif(optimum$gap, 3),
                             norm_bound = signif(best$norm_bound, 7), size = signif(size, 7))
  # The best first step of each way, epoch by epoch.
  way <- paste(settings$method, settings$schedule, settings$shrink, settings$batch)
  for (rows in split(seq_len(nrow(settings)), way)) {
    setting <- settings[rows[which.min(settings$excess[rows])], ]
    trace <- run(panel, setting, TRUE)$trace
    kept <- seq_len(min(nrow(trace), panel$epochs + 1L))
    traces[[length(traces) + 1L]] <- data.frame(
      panel = name, setting[c("method", "schedule", "shrink", "batch", "change", "step")],
      epoch = kept - 1L, excess = signif(trace$value[kept] - optimum$bound, 3), row.names = NULL
    )
  }
  save_results(do.call(rbind, grid), "grid")
  save_results(do.call(rbind, traces), "epochs")
}
