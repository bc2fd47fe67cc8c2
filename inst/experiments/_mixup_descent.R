# Part of mixup.R: the rows of Table II for stochastic gradient descent, which needs thousands of
# epochs: its four step sizes on all three data sets, with 400 of their rows and 200 mixed ones
# (the paper has all rows and 5,000), twenty seeds, each with rows, mixed ones and an order of its
# own, and lambda = 1/n, 0.1/n, 0.01/n. Epochs until the primal objective is within 1e-5 of the
# optimum, at most 5,000; a run that does not get there is censored at its end, and the last column
# has why it ended. Named data sets, and seeds named by number, replace their rows of the file that
# is there.
# writes: mixup_descent.csv
# depends: core src/kernel R/margin_kernel.R R/perturbation.R inst/experiments/_mixup_problem.R
# seeds: 1 to 20

most_rows <- 400L
mixed_rows <- 200L
source(file.path(home, "_mixup_problem.R"))
for (step in c(0.1, 0.01, 0.001, 1e-4)) {
  method <- sprintf("sgd, step %s", format(step, scientific = FALSE))
  methods[[method]] <- list("sgd", c(uniform, step = step))
}
shown <- c("mixup_approx", grep("sgd", names(methods), value = TRUE))

# load_set() draws its rows with one seed; here each seed has its own.
subset_of <- function(name, seed) {
  data <- margin_data(name)
  if (is.data.frame(data$x)) data$x <- one_hot(data$x)
  set.seed(1000L + seed)
  rows <- sample(nrow(data$x), most_rows)
  list(x = data$x[rows, ], y = data$y[rows])
}

measured <- list()
sets <- c("magic04", "bank", "spambase")
only <- intersect(arguments, sets)
if (!length(only)) only <- if (spotting) "magic04" else sets
seeds <- intersect(1:20, suppressWarnings(as.integer(arguments)))
if (spotting) seeds <- 1L else if (!length(seeds)) seeds <- 1:20
for (name in only) {
  for (seed in seeds) {
    problem <- problem_of(subset_of(name, seed), mixed_rows, seed)
    for (times in if (spotting) 1 else c(1, 0.1, 0.01)) {
      optimum <- best(problem, times / problem$n)
      for (method in if (spotting) shown[1:2] else shown) {
        measured[[length(measured) + 1L]] <- data.frame(
          data = name, n = problem$n, columns = problem$columns, times,
          run(problem, times / problem$n, method, seed, optimum, every = !grepl("sgd", method))
        )
      }
    }
    message(format(Sys.time(), "%T "), name, ", seed ", seed)
  }
}
rows <- do.call(rbind, measured)
save_results(rows, "descent", replaced = c("data", "seed"), seeds = toString(seeds),
             keys = c("data", "times", "method", "seed"), skip = c("least_error", "seconds"))
