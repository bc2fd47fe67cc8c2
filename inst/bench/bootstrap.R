# margin_bootstrap() beside boot::boot() with the same statistic, the coefficients of
# margin_linear() on the rows that were drawn: one process, one thread, in turns, seconds.
#
# Ours is timed as the whole call, out-of-bag metric included, which boot() has none of. Each refit
# of either is certified at the default tolerance. `ratio` is ours / boot, the median over rounds.
#
# Usage: Rscript bootstrap.R [folder for the results] [--rounds=5] [--sets=regex]
# writes: bootstrap.csv
# depends: core R/bootstrap.R R/margin_linear.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
rounds <- as.integer(option("rounds", "5", spot = "1"))

spam <- spambase[seq(1L, nrow(spambase), by = 5L), ]
cases <- list(
  "ridge, mtcars" = list(x = as.matrix(mtcars[-1L]), y = mtcars$mpg, lambda = 0.1, mixture = 0),
  "ridge, spambase" = list(x = as.matrix(spam[1:57]), y = spam$type, lambda = 0.01, mixture = 0),
  "lasso, spambase" = list(x = as.matrix(spam[1:57]), y = spam$type, lambda = 0.01, mixture = 1)
)
resamples <- 199L
control <- margin_control(threads = 1, progress = FALSE)

for (name in grep(option("sets", "."), names(cases), value = TRUE)) {
  case <- cases[[name]]
  fit_of <- function(rows) {
    margin_linear(case$x[rows, ], case$y[rows], lambda = case$lambda, mixture = case$mixture,
                  control = control)
  }
  fit <- fit_of(seq_along(case$y))
  runs <- lapply(seq_len(rounds), function(round) {
    ours <- timed(margin_bootstrap(fit, case$x, case$y, resamples = resamples, seed = round))
    set.seed(round)
    theirs <- timed(boot::boot(seq_along(case$y), function(rows, i) coef(fit_of(rows[i])),
                               R = resamples))
    c(ours = ours$seconds, boot = theirs$seconds)
  })
  seconds <- do.call(rbind, runs)
  row <- data.frame(case = name, n = nrow(case$x), d = ncol(case$x), resamples = resamples,
                    ours = stats::median(seconds[, "ours"]),
                    boot = stats::median(seconds[, "boot"]),
                    ratio = stats::median(seconds[, "ours"] / seconds[, "boot"]), rounds = rounds)
  print(row, row.names = FALSE)
  keep_table(row, "bootstrap.csv", "case", "boot", skip = c("ours", "boot"))
}
