# What of the mixup paper holds? G. Obi, A. Saito, Y. Sasaki, T. Kato (2025), arXiv:2501.07794.
# Its formulas as printed against what is right, the times of its Table II, and the protocol of its
# Table I on expression data that can be had.
# Usage: DUALMARGIN_DATA=<data sets> Rscript mixup.R [folder for the results [parts ...]]
# Parts, each with a file of its own: formulas, speed, descent, polynomial, growth, prediction;
# all unless named, speed and prediction for all data sets unless some are named.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
require_data()
parts <- parts_of(c("formulas", "speed", "descent", "polynomial", "growth", "prediction"))

# A fit, with what the package would say about a missed tolerance left to the certificate.
# scale: NULL for a kernel matrix, which has no columns.
kernel_fit <- function(x, y, kernel, loss, lambda, mixup = NULL, scale = NULL, intercept = "none",
                       solver = "auto", tol = 1e-6, max_epochs = 1000, seed = 1, options = list(),
                       every = FALSE, stall = TRUE) {
  control <- margin_control(tol = tol, max_epochs = max_epochs, seed = seed, progress = FALSE,
                            certify_every_epoch = every, stall = stall, solver_options = options)
  given <- list(x, y, kernel = kernel, loss = loss, lambda = lambda, mixup = mixup,
                intercept = intercept, solver = solver, control = control)
  given$scale <- scale
  quietly(do.call(margin_kernel, given, quote = TRUE))
}
# Columns of mean 0 and standard deviation 1.
standardise <- function(x) {
  x <- scale(x)
  x[, !is.nan(x[1L, ]), drop = FALSE]
}

save_results <- function(rows, name, ...) write_results(rows, sprintf("mixup_%s.csv", name), ...)

for (part in parts) source(file.path(home, sprintf("_mixup_%s.R", part)))
