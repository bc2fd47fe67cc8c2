# Part of smiso.R: Figure 2 (top) of the paper. Its gene expression data, 295 x 8,141, are not to be
# had; ours are those of Gravier and others, 168 x 2905. Rows divided by their norms, logistic loss,
# dropout, lambda 0.01. Each number of epochs is a run of its own.
# writes: smiso_dropout.csv
# depends: core src/augmented R/margin_augmented.R
# seeds: 1 to 20, 100 and 101 (references), 20170201 (draws of the estimate)

points <- if (quick) c(5, 20) else c(5, 20, 50, 100, 200, 400)
seeds <- run_seeds(1:20)
reference_epochs <- if (quick) 200 else 6000
if (spotting) points <- c(5, 20)
if (!is.null(keep_curves)) points <- between(points)
settings <- data.frame(lambda = 0.01, rate = c(0.01, 0.1, 0.3))
genes <- margin_data("gravier")
genes <- list(x = unit_rows(genes$x), y = signs(genes$y))

at_the_end <- function(rows) rows$method == "smiso" & rows$epochs == max(points)
measured <- list()
# of seeds that were asked for, settings that the file has with all of them are not run again
has_seeds <- function(lambda, rate) {
  before <- read_table(file.path(folder, "smiso_dropout.csv"))
  before <- before[before$lambda == lambda & before$rate == rate, ]
  all(seeds %in% before$seed[before$method == "smiso" & before$epochs == max(points)])
}
for (k in if (spotting) 2L else seq_len(nrow(settings))) {
  lambda <- settings$lambda[k]
  rate <- settings$rate[k]
  if (is.null(keep_curves) && !is.null(asked_seeds) && has_seeds(lambda, rate)) next
  fit <- function(method, epochs, seed) {
    run(genes$x, genes$y, perturb_dropout(rate), method, epochs, seed, lambda = lambda)
  }
  reference <- coef(fit("smiso, balanced, averaged", reference_epochs, 100))
  cells <- expand.grid(epochs = points, seed = seeds, method = names(methods),
                       stringsAsFactors = FALSE)
  cells <- cells_asked(cells)
  fits <- Map(fit, cells$method, cells$epochs, cells$seed)
  # Another long run, which says how far off the reference is.
  other <- coef(fit("smiso, balanced, averaged", reference_epochs, 101))
  gaps <- suboptimality(genes$x, genes$y, cbind(vapply(fits, coef, reference), other), reference,
                        "logistic", lambda, rate)
  noise <- vapply(fits, function(f) unlist(f$noise[nrow(f$noise), c("sigma_p2", "sigma_tot2")]),
                  numeric(2))
  rows <- data.frame(
    data = "gravier", lambda, rate, cells[c("method", "seed", "epochs")],
    suboptimality = signif(gaps[-length(gaps)], 4), sigma_p2 = signif(noise[1L, ], 4),
    sigma_tot2 = signif(noise[2L, ], 4)
  )
  if (!is.null(keep_curves)) {
    keep_curves(rows, paste("gravier, rate", rate))
    next
  }
  long <- rows[1L, ]
  long[c("method", "seed", "epochs", "suboptimality")] <-
    list("another reference", 101, reference_epochs, signif(gaps[length(gaps)], 4))
  long[c("sigma_p2", "sigma_tot2")] <- NA
  measured[[k]] <- rbind(rows, long)
  rows <- do.call(rbind, measured)
  rows$load <- c(load_average(), rep(NA, nrow(rows) - 1L))
  save_seeds(rows, "dropout", keys = c("lambda", "rate", "method", "seed", "epochs"),
             fresh = rows[seq_len(nrow(rows)) > nrow(rows) - nrow(measured[[k]]), ],
             needed = list(sigma_p2 = at_the_end, sigma_tot2 = at_the_end),
             others = c("100 (reference)", "20170201 (draws of the estimate)"))
}
