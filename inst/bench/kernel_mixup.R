# Table II of Obi, Saito, Sasaki and Kato (2025), arXiv:2501.07794, with the solvers of this package
# side by side: one process, in turns, CPU seconds of one thread.
#
# Logistic loss, rbf kernel with sigma = 1/d on standardised columns, no intercept, 5,000 mixed rows
# with shares from Beta(1, 1), lambda = 1, 0.1 and 0.01 over the number of rows, mixed ones
# included. Each solver runs until certified at tolerance 1e-5. Two times are taken: of the whole
# call, building the kernel and its certificate included; and of the iterations alone until the
# primal value, in the trace, is within 1e-5 of the optimum, known from a certificate at 1e-7. The
# trace is in seconds of the wall clock; they are multiplied by the CPU share of the call. Ratios
# are auto / solver, of the times summed over the three lambdas; medians over rounds.
#
# Usage: Rscript kernel_mixup.R [folder for the results] [--small] [--peers=regex] [--rounds=3]
#        [--sets=regex] [--seconds=120]
# A run over --seconds is ended and recorded.
# writes: kernel_mixup.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R
# seeds: 1

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_driver.R"))
source(file.path(home, "_kernel_data.R"))
seconds <- as.numeric(option("seconds", "120"))

mixed <- if (small) 500 else 5000
multiples <- if (spotting) 1 else c(1, 0.1, 0.01)
accuracy <- 1e-5
known <- margin_solvers()
solvers <- c("auto", "block_sdca", "sdca", "mixup_approx", "mixup_naive", "mixup_decomp", "sgd")
solvers <- intersect(solvers, known$name[known$family == "kernel"])
solvers <- union("auto", grep(option("peers", ".", "mixup_approx"), solvers, value = TRUE))

fit <- function(data, multiple, solver, tol) {
  lambda <- multiple / (nrow(data$x) + mixed)
  timed(margin_kernel(
    data$x, data$y, kernel = kernel_rbf(1 / ncol(data$x)), loss = "logistic", lambda = lambda,
    mixup = mixup_pairs(mixed), intercept = "none", scale = FALSE, solver = solver,
    control = margin_control(tol = tol, seed = 1, progress = FALSE, max_epochs = 10000,
                             max_seconds = if (tol < accuracy) Inf else seconds)
  ))
}

# The CPU seconds and epochs after which the value is within the accuracy of the optimum.
until_accurate <- function(run, optimum) {
  trace <- convergence(run$value)
  first <- which(trace$value <= optimum + accuracy)[1L]
  c(cpu = trace$seconds[first] * run$cpu / run$seconds, epochs = trace$epoch[first])
}

measure <- function(set, data) {
  cells <- expand.grid(solver = solvers, multiple = multiples, stringsAsFactors = FALSE)
  optimum <- vapply(multiples, function(multiple) {
    run <- fit(data, multiple, "auto", 1e-7)
    if (!is.null(run$error)) stop(run$error)
    stopifnot(certificate(run$value)$relative_gap <= 1e-6)
    certificate(run$value)$bound
  }, 0)
  runs <- lapply(seq_len(rounds), function(round) {
    do.call(rbind, lapply(seq_len(nrow(cells)), function(k) {
      gc(FALSE)
      run <- fit(data, cells$multiple[k], cells$solver[k], accuracy)
      if (!is.null(run$error)) stop(cells$solver[k], ": ", run$error)
      reached <- until_accurate(run, optimum[match(cells$multiple[k], multiples)])
      found <- certificate(run$value)
      data.frame(cells[k, ], accurate = reached[["cpu"]], accurate_epochs = reached[["epochs"]],
                 certified = run$cpu, certified_epochs = run$value$status$epochs,
                 status = run$value$status$status, gap = signif(found$relative_gap, 2))
    }))
  })
  shown <- data.frame(data = set, n = nrow(data$x), d = ncol(data$x), mixed = mixed, runs[[1L]],
                      rounds = rounds)
  middle <- function(column) {
    apply(vapply(runs, function(run) run[[column]], shown$certified), 1L, median)
  }
  shown$accurate <- signif(middle("accurate"), 3)
  shown$certified <- signif(middle("certified"), 3)
  sums <- function(column) {
    vapply(runs, function(run) tapply(run[[column]], run$solver, sum)[solvers],
           numeric(length(solvers)))
  }
  for (column in c("accurate", "certified")) {
    total <- matrix(sums(column), length(solvers))
    ratio <- apply(rep(total[1L, ], each = length(solvers)) / total, 1L, median)
    shown[[paste0("auto_ratio_", column)]] <- signif(ratio[match(shown$solver, solvers)], 3)
  }
  shown
}

for (set in grep(option("sets", ".", "spambase"), kernel_sets, value = TRUE)) {
  data <- read_set(set)
  if (is.null(data)) next
  table <- measure(set, data)
  print(table[setdiff(names(table), c("n", "d", "mixed", "rounds"))], row.names = FALSE)
  keep_table(table, "kernel_mixup.csv", c("data", "n", "solver", "multiple"))
}
