# What of the paper on the hard margin holds? Z. Ji, N. Srebro, M. Telgarsky (2021), Fast margin
# maximization via dual acceleration, ICML 139, arXiv:2107.00595. Its Figures 1 to 3 again, on MNIST
# as there, beside the exact maximum; and the experiment of its Figure 4 on a smaller network, on
# MNIST and on a part of CIFAR-10.
# Usage: DUALMARGIN_DATA=<data sets> Rscript margin.R [folder for the results [parts ...]]
# Parts, each with a file of its own: passes (Figure 1), error (2), classes (3), network (4),
# constant (Theorem 5.1), adaptive (Theorem 4.1), lemmas (Section 3), losses (logistic loss, other
# steps), proofs (Appendices B to D); all of them unless named; network for mnist and cifar10 unless
# one of them is named. "quick": fewer digits and less time, to see that all runs.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "_driver.R"))
source(file.path(home, "_margin_digits.R"))
digits <- list(train = read_digits("train"), test = read_digits("t10k"))
if (is.null(digits$train) || is.null(digits$test)) {
  message("Nothing done: MNIST is not in the folder that DUALMARGIN_DATA names.")
  quit()
}
parts <- parts_of(c("passes", "error", "classes", "network", "constant", "adaptive", "lemmas", "losses", "proofs"))
quick <- "quick" %in% arguments
origin$version <- as.character(utils::packageVersion("dualmargin"))

# A fit, with what the package would say about a missed tolerance left to the certificate.
hard_fit <- function(x, y, solver = "auto", ..., intercept = "none", tol = 1e-9,
                     max_epochs = 1e6, max_seconds = Inf, every = FALSE, seed = 1) {
  options <- switch(solver, momentum = list(loss = "exponential"),
                    adaptive = list(schedule = "momentum"),
                    "adaptive, theory" = list(schedule = "theory"), list())
  control <- margin_control(tol = tol, max_epochs = max_epochs, max_seconds = max_seconds,
                            seed = seed, progress = FALSE, certify_every_epoch = every,
                            solver_options = options)
  quietly(margin_hard(x, y, ..., intercept = intercept, scale = FALSE,
                      solver = sub(",.*", "", solver), control = control))
}
# Those of `names` that this version of the package has.
solvers_among <- function(names) {
  names[sub(",.*", "", names) %in% margin_solvers("hard")$name]
}

# The best margin so far on the way, some 150 rows, evenly in log(epoch), the last one included. Seconds are
# those of the processor, and the call's time outside the trace comes before its first row.
thinned_trace <- function(fit, taken) {
  trace <- convergence(fit)
  trace$value <- cummax(trace$value)
  trace <- trace[trace$epoch > 0, ]
  last <- nrow(trace)
  before_end <- pmin((trace$seconds[last] - trace$seconds) / taken[[3L]], 1)
  at <- round(40 * log(trace$epoch / trace$epoch[1L]))
  keep <- !duplicated(at) | seq_len(last) == last
  trace <- trace[keep, ]
  before_end <- before_end[keep]
  data.frame(epoch = signif(trace$epoch, 5),
             seconds = signif(sum(taken[1:2]) * (1 - before_end), 4),
             margin = signif(trace$value, 12))
}
error_of <- function(fit, x, y) mean(predict(fit, x) != y)

save_results <- function(rows, name, ...) {
  rows$load <- c(load_average(), rep(NA, nrow(rows) - 1L))
  write_results(rows, sprintf("margin_%s.csv", name), ...)
}

for (part in parts) source(file.path(home, sprintf("_margin_%s.R", part)))
