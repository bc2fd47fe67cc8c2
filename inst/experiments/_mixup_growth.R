# Part of mixup.R: do epochs grow with the number of rows? The paper's Theorems 1 and 2 bound those
# until the primal objective is within 1e-5 of the optimum for lambda proportional to 1/n; its Table
# II has one size a data set. Here n original rows of magic04, drawn anew for each
# seed, with n/2 mixed rows; all else as in _mixup_speed.R. Runs that 5,000 epochs end are NA, and
# count as censored. Seeds named by number replace their rows of the file that is there; each takes
# about one minute, and is written when it is done; of 8,000 rows, which take four more, there are
# ten. --sizes=8000: only these rows, which the other sizes of the file stay beside.
# writes: mixup_growth.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R inst/experiments/_mixup_problem.R
# seeds: 1 to 20 (rows, mixed rows, solvers)

sizes <- if (spotting) 500L else c(500L, 1000L, 2000L, 4000L, 8000L)
named_sizes <- as.integer(sub("^--sizes=", "", grep("^--sizes=", arguments, value = TRUE)))
if (length(named_sizes)) sizes <- intersect(sizes, named_sizes)
most_rows <- Inf
source(file.path(home, "_mixup_problem.R"))
magic <- load_set("magic04")
seeds <- intersect(1:20, suppressWarnings(as.integer(arguments)))
if (spotting) seeds <- 1L else if (!length(seeds)) seeds <- 1:20
grown_with <- function(size, seed) {
  measured <- list()
  set.seed(seed)
  rows <- sample(nrow(magic$x), size)
  problem <- problem_of(list(x = magic$x[rows, ], y = magic$y[rows]), size %/% 2L, seed)
  n <- problem$n
  y <- as.numeric(unclass(problem$y))
  t <- (1 - y) / 2
  both <- mean(1 + (abs(y) < 1))
  for (strength in c(1, 0.1, 0.01)) {
    lambda <- strength / n
    optimum <- best(problem, lambda)
    start <- optimum + mean(ifelse(t * (1 - t) > 0, t * log(t) + (1 - t) * log1p(-t), 0))
    bound <- function(copies) {
      steps <- copies * (n + 1 / (4 * lambda))
      signif(steps * log(start * steps / target) / n, 4)
    }
    for (method in c("auto", "mixup_naive", "mixup_approx", "mixup_decomp")) {
      found <- run(problem, lambda, method, seed, optimum)
      measured[[length(measured) + 1L]] <- data.frame(
        data = "magic04", original = size, n, times = strength,
        found[c("method", "seed", "epochs", "censored")],
        bound = switch(method, mixup_approx = bound(1), mixup_decomp = bound(both), NA)
      )
    }
  }
  message(format(Sys.time(), "%T "), size, " rows, seed ", seed)
  do.call(rbind, measured)
}
for (seed in seeds) {
  of_seed <- if (seed > 10L) setdiff(sizes, 8000L) else sizes
  rows <- do.call(rbind, lapply(of_seed, grown_with, seed))
  save_results(rows, "growth", replaced = c("seed", "original"),
               seeds = paste(toString(seeds[seq_len(match(seed, seeds))]),
                             "(rows, mixed rows, solvers)"),
               keys = c("original", "times", "method", "seed"), tolerance = 0.02)
}
