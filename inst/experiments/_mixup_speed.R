# Part of mixup.R: Table II of the paper. Epochs (n rows of the kernel) and seconds until the primal
# objective is within 1e-5 of the optimum: logistic loss, standardised columns, rbf kernel of sigma
# 1/d, 5,000 mixed rows, drawn twenty times, Beta(1, 1), lambda = 1/n, 0.1/n, 0.01/n, n counting the
# mixed rows. The paper says nothing of width, scaling and Beta. A seed has its own mixed rows; the
# matrix of kernel values, 0.3 to 0.7 GB, is computed once for it and given to all methods. Seconds
# are those of the processor, on a machine shared with others: of the whole fit, times the share of
# its clock until the target. Of magic04's 10,000 rows 4,000 are drawn, with 2,000 mixed ones, for
# the time that all draws take. Named data sets, and draws named by number, replace their rows of
# the file that is there. With "quick" all have 2,000 rows and 1,000 mixed ones.
# writes: mixup_speed.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R inst/experiments/_mixup_problem.R
# seeds: 1 to 20 (mixed rows, solvers)

times <- if (spotting) 1 else c(1, 0.1, 0.01)
quick <- "quick" %in% arguments
most_rows <- if (quick) 2000L else 5000L
seeds <- intersect(1:20, suppressWarnings(as.integer(arguments)))
if (spotting || quick) seeds <- 1L else if (!length(seeds)) seeds <- 1:20
source(file.path(home, "_mixup_problem.R"))

measured <- list()
add <- function(...) measured[[length(measured) + 1L]] <<- data.frame(...)
table_of <- function(name) {
  small <- quick || name == "magic04"
  if (name == "magic04") most_rows <<- min(most_rows, 4000L)
  set <- load_set(name)
  for (seed in seeds) {
    problem <- problem_of(set, if (small) nrow(set$x) %/% 2L else 5000L, seed)
    n <- problem$n
    y <- as.numeric(unclass(problem$y))
    both <- mean(1 + (abs(y) < 1))
    for (strength in times) {
      lambda <- strength / n
      optimum <- best(problem, lambda)
      # Theorems 1 and 2, the latter for the right constant; gamma = 4, K_ii = 1, and D(0) is the
      # mean entropy of the labels.
      t <- (1 - y) / 2
      start <- optimum + mean(ifelse(t * (1 - t) > 0, t * log(t) + (1 - t) * log1p(-t), 0))
      bound <- function(copies) {
        steps <- copies * (n + 1 / (4 * lambda))
        round(steps * log(start * steps / target) / n)
      }
      for (method in names(methods)) {
        printed <- grepl("printed", method)
        solved <- if (printed) lambda * both / 2 else lambda
        goal <- if (printed) best(problem, solved) else optimum
        add(data = name, n, columns = problem$columns, copies = signif(both, 4), times = strength,
            run(problem, solved, method, seed, goal), load = load_average(),
            bound = switch(method, mixup_approx = bound(1), mixup_decomp = bound(both), NA))
      }
      message(format(Sys.time(), "%T "), name, ", seed ", seed, ", lambda ", strength, "/n")
    }
  }
}

sets <- c("bank", "spambase", "magic04")
only <- intersect(arguments, sets)
if (!length(only)) only <- if (spotting) "bank" else sets
for (name in only) table_of(name)
save_results(do.call(rbind, measured), "speed", replaced = c("data", "seed"),
             seeds = sprintf("%s (mixed rows, solvers)", toString(seeds)),
             keys = c("data", "times", "method", "seed"), skip = c("least_error", "ended"))
