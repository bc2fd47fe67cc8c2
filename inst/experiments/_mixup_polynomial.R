# Part of mixup.R: a polynomial kernel, (x'z / d + 1)^2 on standardised columns, in place of the rbf
# kernel of all other parts: epochs of the methods until the primal objective is within 1e-5 of the
# optimum, and bounds of Theorems 1 and 2. 400 rows of each data set and 200 mixed ones, lambda =
# 1/n and 0.1/n, twenty seeds, each with rows, mixed ones and an order of its own; epochs and bounds
# are in the order of seeds.
# writes: mixup_polynomial.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R inst/experiments/_mixup_problem.R
# seeds: 1 to 20

most_rows <- 400L
source(file.path(home, "_mixup_problem.R"))
chosen <- if (spotting) "mixup_approx" else c("auto", "mixup_naive", "mixup_approx", "mixup_decomp")
runs <- list()
for (name in if (spotting) "magic04" else c("magic04", "bank", "spambase")) {
  data <- margin_data(name)
  if (is.data.frame(data$x)) data$x <- one_hot(data$x)
  for (seed in 1:20) {
    set.seed(1000L + seed)
    rows <- sample(nrow(data$x), most_rows)
    problem <- problem_of(list(x = data$x[rows, ], y = data$y[rows]), 200L, seed, degree = 2)
    y <- as.numeric(unclass(problem$y))
    t <- (1 - y) / 2
    entropy <- mean(ifelse(t * (1 - t) > 0, t * log(t) + (1 - t) * log1p(-t), 0))
    copies <- c(auto = NA, mixup_naive = NA, mixup_approx = 1,
                mixup_decomp = mean(1 + (abs(y) < 1)))
    for (times in if (spotting) 1 else c(1, 0.1)) {
      lambda <- times / problem$n
      optimum <- best(problem, lambda)
      for (method in chosen) {
        steps <- copies[[method]] * (problem$n + max(diag(problem$kernel)) / (4 * lambda))
        bound <- steps * log((optimum + entropy) * steps / target) / problem$n
        runs[[length(runs) + 1L]] <- data.frame(
          data = name, times, run(problem, lambda, method, seed, optimum), bound = signif(bound, 4)
        )
      }
    }
  }
  message(format(Sys.time(), "%T "), name)
}
runs <- do.call(rbind, runs)
each <- function(x) paste(x, collapse = " ")
cells <- split(runs, runs[c("method", "times", "data")], drop = TRUE)
save_results(do.call(rbind, lapply(cells, function(here) {
  data.frame(here[1L, c("data", "times", "method")], epochs = stats::median(here$epochs),
             each = each(here$epochs), bounds = each(here$bound), ended = each(unique(here$ended)))
})), "polynomial", keys = c("data", "times", "method"))
