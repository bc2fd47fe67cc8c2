# Part of drsvm.R: Figure 1 of the paper. (a) to (d): ISG and IPPA, both one row at a time, on data
# drawn as in its section 5.1, with steps that fall geometrically, like 1/k and like 1/sqrt(k). The
# paper does not say which instances it drew; ours are
#   a: q = 1 and b: q = inf with kappa = Inf, both sharp since they are linear programs;
#   c: q = 2 with kappa = 1, where the optimum lies inside the cone, so BLR;
#   d: q = 2 with kappa = 10, where it lies on the cone.
# With kappa = 1 the optimum of q = inf would be that of q = 2.
# (e): ISG on a1a, q = 1, by the size of its batches; (f): there too, the hybrid beside both.
# Every method and every way to shorten the steps has its first step from one grid: the one with the
# smallest value at the end. An epoch counts the passes of the method alone, not its certificates;
# each point of a curve is a run of its own to that epoch, and its value the better one of where it
# ended and of a few points before.
# writes: drsvm_epochs.csv drsvm_grid.csv
# depends: core src/robust R/margin_robust.R
# seeds: 2020 (instance), 1 (solvers)

draw <- function(n = 1000L, d = 100L, noise = 0.5) {
  set.seed(2020)
  truth <- rnorm(d)
  x <- matrix(rnorm(n * d), n)
  list(x = x, y = ifelse(drop(x %*% truth) + noise * rnorm(n) >= 0, 1, -1))
}
synthetic <- draw()
panels <- list(
  a = list(data = synthetic, norm = "l1", kappa = 1, methods = c("isg", "ippa"), epochs = 200L),
  b = list(data = synthetic, norm = "linf", kappa = Inf, methods = c("isg", "ippa"), epochs = 200L),
  c = list(data = synthetic, norm = "l2", kappa = 1, methods = c("isg", "ippa"), epochs = 200L),
  d = list(data = synthetic, norm = "l2", kappa = 10, methods = c("isg", "ippa"), epochs = 200L),
  e = list(data = a1a, norm = "l1", kappa = 1, methods = "isg", epochs = 200L),
  f = list(data = a1a, norm = "l1", kappa = 1, methods = c("ippa", "hybrid"), epochs = 200L)
)
steps <- 10^seq(-2, 2.5, by = 0.5)
shrinks <- c(0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
schedules <- rbind(data.frame(schedule = "geometric", shrink = shrinks),
                   data.frame(schedule = c("inverse", "inverse_root"), shrink = 0.95))
# The step below which a run ends: that of the epoch after the last.
last_step <- function(schedule, shrink, epochs) {
  switch(schedule, geometric = max(shrink^(epochs - 0.5), 1e-14), inverse = 1 / (epochs + 0.5),
         inverse_root = 1 / sqrt(epochs + 0.5))
}
run <- function(panel, setting, epochs = panel$epochs) {
  options <- list(sampling = "cyclic", schedule = setting$schedule, step = setting$step, 
                  shrink = setting$shrink,
                  floor = last_step(setting$schedule, setting$shrink, epochs))
  if (!is.na(setting$batch)) options$batch <- setting$batch
  if (!is.na(setting$change)) options$change <- setting$change
  fit <- robust(panel$data$x, panel$data$y, panel$norm, label_cost = panel$kappa,
                solver = setting$method, options = options, tol = 1e-12, max_epochs = 1e6)
  # or its steps had shrunk to nothing
  stopifnot(fit$status$steps == epochs || options$floor == 1e-14)
  certificate(fit)$value
}
shown <- function(epochs) unique(c(1:6, round(exp(seq(log(6), log(epochs), length.out = 16)))))

# Named panels replace their rows of the files that are there.
renew <- function(rows, name) {
  file <- file.path(folder, sprintf("drsvm_%s.csv", name))
  before <- rows_before(file, rows)
  save_results(rbind(before[!before$panel %in% rows$panel, ], rows), name, fresh = rows,
               keys = c("panel", "method", "schedule", "shrink", "batch", "change", "step",
                        if (name == "epochs") "epoch"), skip = "optimum_gap")
}
only <- intersect(arguments, names(panels))
if (!length(only)) only <- if (spotting) "a" else names(panels)
if (spotting) steps <- 1
for (name in only) {
  traces <- list()
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
  if (spotting) settings <- settings[settings$shrink == 0.95 & settings$schedule == "geometric", ]
  settings$excess <- vapply(seq_len(nrow(settings)), function(k) {
    run(panel, settings[k, ]) - optimum$bound
  }, 0)
  settings$excess <- signif(settings$excess, 4)
  grid <- data.frame(panel = name, norm = panel$norm, kappa = panel$kappa, settings,
                     epochs = panel$epochs, optimum = optimum$value,
                     optimum_gap = signif(optimum$gap, 3),
                     norm_bound = signif(best$norm_bound, 7), size = signif(size, 7))
  # Epoch by epoch, the best setting of each kind of schedule or size of batch.
  kind <- paste(settings$method, settings$schedule, settings$batch)
  for (rows in split(seq_len(nrow(settings)), kind)) {
    setting <- settings[rows[which.min(settings$excess[rows])], ]
    epochs <- shown(panel$epochs)
    excess <- vapply(epochs, function(k) run(panel, setting, k) - optimum$bound, 0)
    traces[[length(traces) + 1L]] <- data.frame(
      panel = name, setting[c("method", "schedule", "shrink", "batch", "change", "step")],
      epoch = epochs, excess = signif(excess, 3), row.names = NULL
    )
  }
  renew(grid, "grid")
  renew(do.call(rbind, traces), "epochs")
}
