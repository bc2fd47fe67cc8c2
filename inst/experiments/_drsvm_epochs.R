# Part of drsvm.R: panels (a) to (d) of Figure 1 of the paper on 20 instances: ISG and IPPA, both
# one row at a time, on data drawn as in its section 5.1 (1,000 rows, 100 features; the seed of an
# instance is its number), with steps that fall geometrically, like 1/k and like 1/sqrt(k). The
# paper does not say which instances it drew; ours are
#   a: q = 1 and b: q = inf with kappa = Inf, both sharp since they are linear programs;
#   c: q = 2 with kappa = 1, where the optimum lies inside the cone, so BLR;
#   d: q = 2 with kappa = 10, where it lies on the cone.
#   b1: q = inf with kappa = 1, as the paper says of (b).
# ((e) and (f): _drsvm_batch.R.) Panels among the arguments: these alone, beside those of the file.
# Every method and every way to shorten the steps has its first step from one grid, on each instance
# the one with the smallest value after 200 passes; all have the same order of the rows. Passes are
# those of the method alone, not those of its certificates. The excess is over the certified bound.
#   grid    the best first step of each way to shorten the steps, and the excess at the end
#   epochs  the smallest excess so far at each certificate, for the best of each kind of schedule
# writes: drsvm_epochs.csv drsvm_grid.csv
# depends: core src/robust R/margin_robust.R
# seeds: 1 to 20 (instances), 1 (solvers)

instances <- if (spotting) 1L else 1:20
panels <- data.frame(panel = c("a", "b", "c", "d", "b1"), norm = c("l1", "linf", "l2", "l2", "linf"),
                     kappa = c(1, Inf, 1, 10, 1))
if (any(panels$panel %in% arguments)) panels <- panels[panels$panel %in% arguments, ]
if (spotting) panels <- panels[3L, ]
passes <- 200L
first_steps <- 10^seq(-1, 2.5, by = 0.5)
ways <- rbind(data.frame(schedule = "geometric", shrink = c(0.5, 0.7, 0.8, 0.9, 0.95, 0.98)),
              data.frame(schedule = c("inverse", "inverse_root"), shrink = NA))
if (spotting) ways <- ways[ways$schedule == "inverse", ]

# The trace of a run: own passes and excess so far.
run <- function(data, panel, bound, method, schedule, shrink, step) {
  # the step below which a run ends: that of the pass after the last
  last <- switch(schedule, geometric = max(shrink^(passes - 0.5), 1e-14),
                 inverse = 1 / (passes + 0.5), inverse_root = 1 / sqrt(passes + 0.5))
  options <- list(sampling = "cyclic", schedule = schedule, step = step, floor = last)
  if (!is.na(shrink)) options$shrink <- shrink
  if (method == "isg") options$batch <- 1
  fit <- robust(data$x, data$y, panel$norm, label_cost = panel$kappa, solver = method,
                options = options, tol = 1e-14, max_epochs = 1e6)
  stopifnot(fit$status$steps == passes || last == 1e-14)  # or its steps had shrunk to nothing
  own <- pmin(own_passes(fit$trace$epoch), fit$status$steps)
  trace <- data.frame(epoch = own, excess = cummin(fit$trace$value) - bound)
  trace <- trace[!duplicated(own, fromLast = TRUE) & own > 0, ]
  if (max(trace$epoch) == passes) return(trace)
  # what has no step any more stays where it is
  rbind(trace, data.frame(epoch = passes, excess = min(trace$excess)))
}

grid <- epochs <- list()
for (instance in instances) {
  data <- draw_instance(instance)
  for (p in seq_len(nrow(panels))) {
    panel <- panels[p, ]
    best <- robust(data$x, data$y, panel$norm, label_cost = panel$kappa, tol = 1e-9,
                   max_epochs = 20000)
    optimum <- certificate(best)
    if (optimum$gap > 1e-8) stop("no optimum to compare with")
    size <- switch(panel$norm, l1 = sum(abs(coef(best))), l2 = sqrt(sum(coef(best)^2)),
                   linf = max(abs(coef(best))))
    for (method in c("isg", "ippa")) {
      found <- lapply(seq_len(nrow(ways)), function(k) {
        runs <- lapply(first_steps, function(step) {
          run(data, panel, optimum$bound, method, ways$schedule[k], ways$shrink[k], step)
        })
        ends <- vapply(runs, function(one) min(one$excess), 0)
        k <- which.min(ends)
        list(step = first_steps[k], excess = ends[k], trace = runs[[k]])
      })
      ends <- data.frame(panel, instance, method, ways,
                         step = signif(vapply(found, `[[`, 0, "step"), 4),
                         excess = signif(vapply(found, `[[`, 0, "excess"), 4), passes,
                         norm_bound = signif(best$norm_bound, 5), size = signif(size, 5),
                         row.names = NULL)
      grid[[length(grid) + 1L]] <- ends
      for (schedule in unique(ways$schedule)) {
        at <- which(ways$schedule == schedule)
        at <- at[which.min(ends$excess[at])]
        trace <- found[[at]]$trace
        epochs[[length(epochs) + 1L]] <- data.frame(
          ends[at, c("panel", "instance", "method", "schedule", "shrink", "step")],
          epoch = trace$epoch, excess = signif(trace$excess, 3), row.names = NULL
        )
      }
    }
  }
  save_results(do.call(rbind, grid), "grid", replaced = c("panel", "instance"), tolerance = 0.02,
               keys = c("panel", "instance", "method", "schedule", "shrink"), skip = "step")
  save_results(do.call(rbind, epochs), "epochs", replaced = c("panel", "instance"), tolerance = 0.02,
               keys = c("panel", "instance", "method", "schedule", "epoch"),
               skip = c("step", "shrink"))
}
