# Part of margin.R: Figure 1 of the paper, digits 0 and 1 (12,665 training images). The best margin
# each solver has reached against passes over the data; the exact margin by "auto".
# A run ends at a relative gap of 1e-9 or after 20,000 passes: then it is censored. "adaptive" has
# the paper's heuristic step, "adaptive, theory" that of its Theorem 4.1. largest: of the norms of
# rows, which the theorems take to be at most 1. Solvers that draw rows have ten seeds; of long runs
# with another seed than 1 the last certificate alone is stored.
# writes: margin_passes.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1 to 10 (solvers that draw), 1 (others)

most_passes <- if (quick) 200 else 20000
pair <- digits_of(digits$train, 0:1, if (quick) 2000 else Inf)
measured <- list()
shown <- c("auto", "active_set", "smo", "dual_cd", "momentum", "adaptive", "adaptive, theory",
           "perceptron", "ngd", "gd")
drawing <- c("dual_cd", "adaptive", "adaptive, theory")
largest <- sqrt(max(rowSums(pair$x^2)))
for (solver in solvers_among(if (spotting) "auto" else shown)) {
  for (seed in if (solver %in% drawing && !quick) 1:10 else 1L) {
    taken <- system.time(
      fit <- hard_fit(pair$x, pair$y, solver, max_epochs = most_passes, seed = seed)
    )
    trace <- thinned_trace(fit, taken)
    if (seed > 1L && nrow(trace) > 20L) trace <- trace[nrow(trace), ]
    measured[[length(measured) + 1L]] <-
      data.frame(data = "0 v 1", n = nrow(pair$x), largest = signif(largest, 8), solver, seed,
                 trace, censored = !certificate(fit)$certified, status = fit$status$status)
    message(format(Sys.time(), "%T "), solver, ", seed ", seed, ": ",
            format(certificate(fit)$value, digits = 12))
  }
}
save_results(do.call(rbind, measured), "passes", keys = c("data", "solver", "seed", "epoch"),
             seeds = c("1 to 10 (solvers that draw)", "1 (others)"))
