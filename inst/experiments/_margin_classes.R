# Part of margin.R: Figure 3 of the paper, all ten digits with the kernel of a network of one hidden
# layer of 128 relu units as it is drawn, by the methods that read one row of the kernel in a step:
# margin against passes. The paper takes 60,000 images, here it is the first 1,500; n images have
# 9 n rows. The exact margin is that of "auto".
# writes: margin_classes.csv
# depends: core src/hard R/margin_hard.R R/kernel_ntk.R
# seeds: 1 (kernel, solvers)

count <- if (quick) 300 else 1500
limit <- if (quick) 5 else 45
some <- digits_of(digits$train, most = count)
test <- digits_of(digits$test, most = 2000)
kernel <- kernel_ntk(width = 128, seed = 1)
measured <- list()
shown <- c("auto", "smo", "adaptive", "perceptron", "momentum")
for (solver in solvers_among(if (spotting) "auto" else shown)) {
  taken <- system.time({
    fit <- hard_fit(some$x, some$y, solver, kernel = kernel, max_seconds = if (solver == "auto") Inf
                    else limit)
  })
  rows <- thinned_trace(fit, taken)
  measured[[solver]] <- data.frame(
    n = count, pairs = 9 * count, solver, rows, steps = fit$status$steps,
    test_error = c(error_of(fit, test$x, test$y), rep(NA, nrow(rows) - 1L)),
    certified = certificate(fit)$certified, status = fit$status$status,
    cpu = signif(sum(taken[1:2]), 4)
  )
  message(format(Sys.time(), "%T "), solver, ": ", format(certificate(fit)$value, digits = 12))
}
save_results(do.call(rbind, measured), "classes", keys = c("n", "solver", "epoch"))
