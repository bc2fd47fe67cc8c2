# Part of margin.R: Figure 1 of the paper, digits 0 and 1 (12,665 training images). The best margin
# each solver has reached against passes over the data; the exact margin by "auto".
# A run ends at a relative gap of 1e-9 or after 20,000 passes: then it is censored. "adaptive" has
# the paper's heuristic step, "adaptive, theory" that of its Theorem 4.1. largest: of the norms of
# rows, which the theorems take to be at most 1.
# writes: margin_passes.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1 (solvers)

most_passes <- if (quick) 200 else 20000
pair <- digits_of(digits$train, 0:1, if (quick) 2000 else Inf)
measured <- list()
shown <- c("auto", "active_set", "smo", "dual_cd", "momentum", "adaptive", "adaptive, theory",
           "perceptron", "ngd", "gd")
largest <- sqrt(max(rowSums(pair$x^2)))
for (solver in solvers_among(if (spotting) "auto" else shown)) {
  taken <- system.time(fit <- hard_fit(pair$x, pair$y, solver, max_epochs = most_passes))
  measured[[solver]] <- data.frame(data = "0 v 1", n = nrow(pair$x),
                                   largest = signif(largest, 8), solver,
                                   thinned_trace(fit, taken),
                                   censored = !certificate(fit)$certified,
                                   status = fit$status$status)
  message(format(Sys.time(), "%T "), solver, ": ", format(certificate(fit)$value, digits = 12))
}
save_results(do.call(rbind, measured), "passes", keys = c("data", "solver", "epoch"))
