# Part of smiso.R: what the certificate says and what it costs. Logistic loss, dropout 0.1, rows
# divided by their norms: gravier with lambda 0.01 and a9a with 0.0001.
# writes: smiso_certificate.csv smiso_coverage.csv
# depends: core src/augmented R/margin_augmented.R
# seeds: 1 to 40, 100 (reference), 20170201 (draws of the estimate)

problems <- list(gravier = list(lambda = 0.01, reference = 2500),
                 a9a = list(lambda = 1e-4, reference = 400))
rate <- 0.1
cost <- list()
if (spotting) problems$a9a <- NULL
for (name in names(problems)) {
  set <- margin_data(name)
  x <- unit_rows(set$x)
  y <- signs(set$y)
  lambda <- problems[[name]]$lambda
  fit <- function(epochs, seed, options, tol = 1e-14) {
    options <- c(options, list(sampling = "auto", balanced = TRUE, averaging = TRUE,
                                  choose = TRUE, step = 1))
    run(x, y, perturb_dropout(rate), list("smiso", options), epochs, seed, lambda = lambda,
        tol = tol)
  }
  reference <- coef(fit(if (quick) 100 else problems[[name]]$reference, 100, list()))
  away <- function(fits) {
    suboptimality(x, y, vapply(fits, coef, reference), reference, "logistic", lambda, rate,
                  draws = 10L)
  }

  # Until certified, and no more than 400 or 100 epochs.
  cells <- expand.grid(tol = 10^-(2:4), cycles = c(10, 20), balanced = c(TRUE, FALSE),
                       seed = seq_len(if (quick || spotting) 1L else 20L))
  if (quick || spotting) cells <- cells[cells$tol > 1e-4, ]
  fits <- Map(function(tol, cycles, balanced, seed) {
    fit(if (name == "a9a") 100 else 400, seed, list(cycles = cycles, balanced = balanced), tol)
  }, cells$tol, cells$cycles, cells$balanced, cells$seed)
  cost[[name]] <- data.frame(
    data = name, cells, certified = vapply(fits, function(f) certificate(f)$certified, NA),
    epochs = vapply(fits, function(f) f$status$epochs, 0),
    certificate_epochs = vapply(fits, function(f) f$certificate_epochs, 0),
    seconds = signif(vapply(fits, function(f) f$status$seconds, 0), 3),
    value = signif(vapply(fits, function(f) certificate(f)$value, 0), 6),
    gap = signif(vapply(fits, function(f) f$suboptimality, 0), 4),
    true_gap = signif(away(fits), 4)
  )
  rows <- do.call(rbind, cost)
  rows$load <- c(load_average(), rep(NA, nrow(rows) - 1L))
  save_results(rows, "certificate", keys = c("data", "tol", "cycles", "balanced", "seed"),
               seeds = "1 to 20, 100 (reference), 20170201 (draws of the estimate)")

  # How often the limit of 95 % is above the truth.
  if (name == "gravier") {
    cells <- expand.grid(seed = seq_len(if (quick || spotting) 3L else 40L), epochs = c(10, 50),
                         balanced = c(TRUE, FALSE), cycles = 10)
    fits <- Map(function(seed, epochs, balanced, cycles) {
      fit(epochs, seed, list(balanced = balanced, cycles = cycles))
    }, cells$seed, cells$epochs, cells$balanced, cells$cycles)
    save_results(data.frame(
      data = name, cells, gap = signif(vapply(fits, function(f) f$suboptimality, 0), 4),
      true_gap = signif(away(fits), 4)
    ), "coverage", keys = c("data", "seed", "epochs", "balanced", "cycles"))
  }
}
