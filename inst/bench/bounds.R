# What auto certifies with bounds of the coefficients beside the same problem without: 6 losses, 3
# shapes of standard normal rows (of the first the columns correlate by .9975), 3 mixtures, 2
# tolerances, one problem a seed. Coefficients are bounded by `lower = 0` at odd seeds, by -0.05 and
# 0.1 at even ones. `missed` counts problems that are certified without bounds and not with them,
# `worst` is the largest relative gap with bounds, epochs are medians.
#
# Usage: Rscript bounds.R [folder for the results] [--seeds=20] [--losses=regex] [--shapes=regex]
# writes: bounds.csv
# depends: core src/linear R/margin_linear.R R/design.R
# seeds: 1 to 20

library(dualmargin)
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L]))
source(file.path(home, "_arguments.R"))
source(file.path(home, "..", "experiments", "_record.R"))
seeds <- seq_len(as.integer(option("seeds", "20")))
lambda <- 0.01

losses <- list(absolute = "absolute", quantile = loss_quantile(0.9),
               epsilon_insensitive = loss_epsilon_insensitive(0.1), hinge = "hinge",
               squared = "squared", logistic = "logistic")
losses <- losses[grep(option("losses", if (spotting) "^squared$" else "."), names(losses))]
shapes <- list("200 x 50, correlated" = c(200, 50), "80 x 80" = c(80, 80), "60 x 200" = c(60, 200))
shapes <- shapes[grep(option("shapes", if (spotting) "^80" else "."), names(shapes))]

draw <- function(shape, seed) {
  set.seed(seed)
  n <- shapes[[shape]][1L]
  p <- shapes[[shape]][2L]
  x <- matrix(stats::rnorm(n * p), n)
  correlated <- grepl("correlated", shape)
  w <- if (correlated) abs(stats::rnorm(p)) else c(stats::rnorm(10L), numeric(p - 10L))
  if (correlated) x <- stats::rnorm(n) + 0.05 * x
  y <- drop(x %*% w) + stats::rnorm(n)
  list(x = x, y = y, class = factor(y + stats::rnorm(n) > stats::median(y)))
}
fit_problem <- function(problem, loss, mixture, tol, bounds) {
  of_classes <- identical(loss, "hinge") || identical(loss, "logistic")
  arguments <- c(list(problem$x, if (of_classes) problem$class else problem$y, loss = loss,
                      lambda = lambda, mixture = mixture, intercept = "free", scale = TRUE,
                      solver = "auto",
                      control = margin_control(tol = tol, progress = FALSE)), bounds)
  fit <- suppressWarnings(do.call(margin_linear, arguments))
  list(certified = certificate(fit)$certified, gap = certificate(fit)$relative_gap,
       epochs = max(fit$status$epochs))
}

rows <- list()
for (loss in names(losses)) for (shape in names(shapes)) for (mixture in c(0, 0.5, 1)) {
  for (tol in c(1e-6, 1e-8)) {
    runs <- lapply(seeds, function(seed) {
      problem <- draw(shape, seed)
      bounds <- if (seed %% 2 == 1) list(lower = 0) else list(lower = -0.05, upper = 0.1)
      list(plain = fit_problem(problem, losses[[loss]], mixture, tol, list()),
           bounded = fit_problem(problem, losses[[loss]], mixture, tol, bounds))
    })
    of <- function(kind, field) vapply(runs, function(run) as.numeric(run[[kind]][[field]]), 0)
    rows[[length(rows) + 1L]] <- data.frame(
      loss = loss, shape = shape, mixture = mixture, tol = tol, problems = length(seeds),
      certified_plain = sum(of("plain", "certified")),
      certified_bounded = sum(of("bounded", "certified")),
      missed = sum(of("plain", "certified") > of("bounded", "certified")),
      worst = signif(max(of("bounded", "gap")), 2),
      epochs_plain = signif(stats::median(of("plain", "epochs")), 3),
      epochs_bounded = signif(stats::median(of("bounded", "epochs")), 3)
    )
    utils::write.table(rows[[length(rows)]], row.names = FALSE, col.names = FALSE)
  }
}
write_results(do.call(rbind, rows), "bounds.csv", keys = c("loss", "shape", "mixture", "tol"),
              skip = c("worst", "epochs_plain", "epochs_bounded"))
