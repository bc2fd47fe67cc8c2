# Part of smiso.R: a path over the rate of dropout on the gene data, rows divided by their norms,
# logistic loss: does dropout predict better than the ridge alone, and what does the start from the
# point before save? 112 rows to learn from and 56 to test on, drawn anew.
# writes: smiso_path.csv
# depends: core src/augmented R/margin_augmented.R R/path.R
# seeds: 1 to 20 (splits)

path_rates <- c(0, 0.1, 0.3, 0.5)
genes <- margin_data("gravier")
genes <- list(x = unit_rows(genes$x), y = signs(genes$y))
measured <- list()
for (lambda in c(0.01, 0.001)) {
  for (split in seq_len(if (spotting) 1L else if (quick) 2L else 20L)) {
    set.seed(split)
    rows <- sample(nrow(genes$x), 112L)
    control <- margin_control(tol = 0.01, max_epochs = 100, seed = split, progress = FALSE)
    along <- suppressWarnings(margin_path(genes$x[rows, ], genes$y[rows], family = "augmented",
                                          loss = "logistic", rate = path_rates, lambda = lambda,
                                          mixture = 0, solver = "auto", control = control,
                                          intercept = "none", center = FALSE, scale = FALSE))
    alone <- lapply(path_rates, function(rate) {
      suppressWarnings(margin_augmented(genes$x[rows, ], genes$y[rows], perturb_dropout(rate),
                                        loss = "logistic", lambda = lambda, mixture = 0,
                                        solver = "auto", control = control,
                                        intercept = "none", center = FALSE, scale = FALSE))
    })
    margin <- genes$y[-rows] * predict(along, genes$x[-rows, ], type = "score")
    measured[[length(measured) + 1L]] <- data.frame(
      lambda, split, rate = path_rates, log_loss = signif(colMeans(log1p(exp(-margin))), 5),
      error = signif(colMeans(margin < 0), 4), certified = along$certificate$certified,
      epochs = along$status$epochs,
      epochs_alone = vapply(alone, function(f) f$status$epochs, 0)
    )
  }
  save_results(do.call(rbind, measured), "path", keys = c("lambda", "split", "rate"),
               tolerance = 0.01)
}
