# Part of margin.R: two methods that the paper names beside those of its Figure 1, on the same
# digits 0 and 1: Algorithm 1 with the logistic loss (its Section 5.1, step 1), by the solver
# "momentum", and normalised gradient descent with steps 1 / sqrt(t) (Nacson et al.), in plain R,
# beside the same with step 1. The best margin until then against passes, two for a step.
# writes: margin_losses.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1 (solver)

most_passes <- if (quick || spotting) 40 else 20000
pair <- digits_of(digits$train, 0:1, if (quick) 2000 else Inf)
marks_at <- unique(2 * round(10^seq(0, log10(most_passes / 2), length.out = 50)))
control <- margin_control(tol = 1e-9, max_epochs = most_passes, seed = 1, progress = FALSE,
                          stall = FALSE, solver_options = list(loss = "logistic"))
fit <- quietly(margin_hard(pair$x, pair$y, intercept = "none", scale = FALSE, solver = "momentum",
                           control = control))
trace <- convergence(fit)
at <- vapply(marks_at, function(mark) max(which(trace$epoch <= max(mark, trace$epoch[1L]))), 0L)
measured <- data.frame(method = "momentum, logistic", epoch = marks_at, margin = cummax(trace$value)[at])
message(format(Sys.time(), "%T "), "momentum, logistic")
longest <- sqrt(max(rowSums(pair$x^2)))
a <- Matrix::Matrix(pair$x * ifelse(pair$y == levels(pair$y)[2L], 1, -1) / longest, sparse = TRUE)
for (how in c("ngd, 1/sqrt(t)", "ngd, 1")) {
  w <- numeric(ncol(a))
  q <- rep(1 / nrow(a), nrow(a))
  best <- -Inf
  for (t in seq_len(most_passes / 2)) {
    w <- w + (if (how == "ngd, 1") 1 else 1 / sqrt(t)) * as.vector(Matrix::crossprod(a, q))
    p <- as.vector(a %*% w)
    q <- exp(min(p) - p)
    q <- q / sum(q)
    best <- max(best, min(p) / sqrt(sum(w^2)) * longest)
    if ((2 * t) %in% marks_at) {
      measured[nrow(measured) + 1L, ] <- list(how, 2 * t, best)
    }
  }
  message(format(Sys.time(), "%T "), how)
}
measured$margin <- signif(measured$margin, 6)
save_results(measured, "losses", keys = c("method", "epoch"))
