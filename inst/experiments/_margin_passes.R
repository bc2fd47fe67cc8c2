# Part of margin.R: Figure 1 of the paper, digits 0 and 1 (12,665 training images). The best margin
# each solver has reached, and its bound, against passes over the data; the exact margin by "auto".
# writes: margin_passes.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1 (solvers)

limit <- function(solver) if (quick) 5 else if (solver == "momentum") 120 else 30
pair <- digits_of(digits$train, 0:1, if (quick) 2000 else Inf)
measured <- list()
shown <- c("auto", "active_set", "smo", "dual_cd", "momentum", "adaptive", "perceptron", "ngd",
           "gd")
for (solver in solvers_among(if (spotting) "auto" else shown)) {
  taken <- system.time(fit <- hard_fit(pair$x, pair$y, solver, max_seconds = limit(solver)))
  measured[[solver]] <- data.frame(data = "0 v 1", n = nrow(pair$x), solver,
                                   thinned_trace(fit, taken))
  message(format(Sys.time(), "%T "), solver, ": ", format(certificate(fit)$value, digits = 12))
}
save_results(do.call(rbind, measured), "passes", keys = c("data", "solver", "epoch"))
