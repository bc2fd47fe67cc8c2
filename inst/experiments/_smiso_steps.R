# Part of smiso.R: the rest of Figure 2 (top): the paper's breast cancer data, of whose 295 patients
# margin_data("nki272") has 272 and 1,554 genes (the paper: 8,141), and its step sizes. Rows divided
# by their norms, logistic loss, dropout, lambda 0.01; methods as the paper has them:
# rows uniformly with replacement, independent draws, last iterate. Steps are eta = 1 and 0.1 of its
# Section 5; eta = 1 of N-SAGA is 1 / L, three times the safe step of "nsaga".
# writes: smiso_steps.csv
# depends: core src/augmented R/margin_augmented.R
# seeds: 1 to 20, 100 and 101 (references), 20170201 (draws of the estimate)

points <- if (spotting || quick) c(5, 20) else c(5, 20, 50, 100, 300)
if (!is.null(keep_curves)) points <- between(points)
seeds <- run_seeds(1:20)
reference_epochs <- if (quick) 1000 else 2000
breast <- margin_data("nki272")
breast <- list(x = unit_rows(as.matrix(breast$x)), y = signs(breast$y))
stepped <- expand.grid(epochs = points, seed = seeds, step = c(1, 0.1),
                       method = c("smiso", "sgd", "nsaga"), stringsAsFactors = FALSE)

measured <- list()
for (rate in if (spotting) 0.1 else c(0.01, 0.1, 0.3)) {
  fit <- function(method, epochs, seed, options = list()) {
    run(breast$x, breast$y, perturb_dropout(rate), method, epochs, seed, lambda = 0.01,
        options = options)
  }
  reference <- coef(fit("smiso, balanced, averaged", reference_epochs, 100))
  other <- coef(fit("smiso, balanced, averaged", reference_epochs, 101))
  fits <- Map(function(method, epochs, seed, step) {
    coef(fit(method, epochs, seed, list(step = if (method == "nsaga") 3 * step else step)))
  }, stepped$method, stepped$epochs, stepped$seed, stepped$step)
  gaps <- suboptimality(breast$x, breast$y, cbind(do.call(cbind, fits), other), reference,
                        "logistic", 0.01, rate)
  rows <- rbind(stepped[c("method", "step", "seed", "epochs")],
                data.frame(method = "another reference", step = 1, seed = 101,
                           epochs = reference_epochs))
  measured[[length(measured) + 1L]] <- data.frame(data = "nki272", n = nrow(breast$x),
                                                  columns = ncol(breast$x), lambda = 0.01, rate,
                                                  rows, suboptimality = signif(gaps, 4))
  if (!is.null(keep_curves)) {
    runs <- measured[[length(measured)]]
    runs <- runs[runs$method != "another reference", ]
    runs$method <- paste0(runs$method, ", step ", runs$step)
    keep_curves(runs, paste("nki272, rate", rate))
  }
  message(format(Sys.time(), "%T "), "steps, rate ", rate)
}
if (is.null(keep_curves)) {
  save_seeds(do.call(rbind, measured), "steps",
             keys = c("rate", "method", "step", "seed", "epochs"),
             others = c("100 (reference)", "20170201 (draws of the estimate)"))
}
