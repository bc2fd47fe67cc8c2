# Part of smiso.R: Table 2 of the paper, which estimates sigma_tot^2 / sigma_p^2 from the rows
# alone, beside the ratio of gradients at the end of 50 epochs, each the mean of twenty runs.
# Standardised columns, logistic loss. lambda is 0.01 or 0.0001 times the number of columns, which
# is the mean squared norm of a row.
# writes: smiso_noise.csv
# depends: core src/augmented R/margin_augmented.R
# seeds: 1 to 20

kinds <- rbind(
  data.frame(kind = "dropout", strength = c(0.01, 0.1, 0.3, 0.5)),
  data.frame(kind = "gaussian", strength = c(0.1, 0.3, 1)),
  data.frame(kind = "rescale", strength = c(0.1, 0.3, 1))
)
makers <- list(dropout = perturb_dropout, gaussian = perturb_gaussian, rescale = perturb_rescale)
of_the_rows <- function(kind, strength) {
  switch(kind, dropout = 1 / strength, gaussian = 1 + 1 / strength^2, rescale = 1 + 3 / strength^2)
}
measured <- list()
measured_by <- list("smiso", list(sampling = "auto", balanced = TRUE, averaging = TRUE,
                                  choose = TRUE, step = 1))
if (spotting) kinds <- kinds[2L, ]
for (name in if (spotting) "gravier" else c("gravier", "spambase")) {
  set <- margin_data(name)
  x <- scale(as.matrix(set$x))
  for (times in c(0.01, 1e-4)) {
    for (k in seq_len(nrow(kinds))) {
      kind <- kinds$kind[k]
      strength <- kinds$strength[k]
      ratios <- vapply(if (quick) 1:2 else 1:20, function(seed) {
        fit <- run(x, signs(set$y), makers[[kind]](strength), measured_by, 50, seed,
                   lambda = times * ncol(x))
        last <- fit$noise[nrow(fit$noise), ]
        last$sigma_tot2 / last$sigma_p2
      }, 0)
      measured[[length(measured) + 1L]] <- data.frame(
        data = name, times, kind, strength, rows = signif(of_the_rows(kind, strength), 5),
        measured = signif(mean(ratios), 4), se = signif(sd(ratios) / sqrt(length(ratios)), 2),
        runs = length(ratios)
      )
    }
  }
  message(format(Sys.time(), "%T "), "noise on ", name)
}
save_results(do.call(rbind, measured), "noise", keys = c("data", "times", "kind", "strength"),
             skip = "se", tolerance = 0.02)
