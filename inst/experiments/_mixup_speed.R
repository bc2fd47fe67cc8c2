# Part of mixup.R: Table II of the paper. Epochs (n rows of the kernel) and seconds until the primal
# objective is within 1e-5 of the optimum: logistic loss, standardised columns, rbf kernel of sigma
# 1/d, 5,000 mixed rows, Beta(1, 1), lambda = 1/n, 0.1/n, 0.01/n, n counting the mixed rows. The
# paper says nothing of width, scaling and Beta. A seed has its own mixed rows; the matrix of kernel
# values, 0.7 to 1.8 GB, is computed once for it and given to all methods. Seconds are those of the
# processor, on a machine shared with others: of the whole fit, times the share of its clock until
# the target. Named data sets replace their rows of the file that is there. With "quick" a data set
# has 2,000 rows, drawn at random, and 1,000 mixed ones.
# writes: mixup_speed.csv
# depends: core src/kernel R/margin_kernel.R R/mixup.R
# seeds: 1

target <- 1e-5
times <- c(1, 0.1, 0.01)
quick <- "quick" %in% arguments
most_rows <- if (quick) 2000L else 10000L
mixed_rows <- if (quick) 1000L else 5000L
seeds <- 1L
uniform <- list(sampling = "uniform")
# As printed, (23) is the problem of lambda n~/(2n); its own optimum is then what counts.
methods <- list(
  "auto" = list("auto", list()), "sdca" = list("sdca", list(sampling = "permutation")),
  "sdca, uniform" = list("sdca", uniform), "mixup_naive" = list("mixup_naive", uniform),
  "mixup_approx" = list("mixup_approx", uniform), "mixup_decomp" = list("mixup_decomp", uniform),
  "mixup_decomp, (23) as printed" = list("mixup_decomp", uniform)
)

# Factors of two levels are one column, others one for each level: 48.
one_hot <- function(x) {
  do.call(cbind, lapply(x, function(column) {
    if (!is.factor(column)) column else if (nlevels(column) == 2L) as.integer(column) else
      outer(as.integer(column), seq_len(nlevels(column)), `==`)
  }))
}
load_set <- function(name) {
  data <- margin_data(name)
  if (is.data.frame(data$x)) data$x <- one_hot(data$x)
  if (nrow(data$x) > most_rows) {
    set.seed(1)
    rows <- sort(sample(nrow(data$x), most_rows))
    data <- list(x = data$x[rows, ], y = data$y[rows])
  }
  data
}

# Rows with the mixed ones below them, their kernel values and labels.
problem_of <- function(set, mixed_rows, seed) {
  set.seed(seed)
  all <- mixup_data(standardise(set$x), set$y, mixed_rows)
  norms <- rowSums(all$x^2)
  kernel <- matrix(0, nrow(all$x), nrow(all$x))
  for (from in seq(1L, nrow(kernel), by = 500L)) {
    columns <- from:min(from + 499L, nrow(kernel))
    apart <- outer(norms, norms[columns], `+`) - 2 * tcrossprod(all$x, all$x[columns, ])
    kernel[, columns] <- exp(-pmax(apart, 0) / ncol(all$x))
  }
  list(kernel = kernel, y = all$y, n = nrow(kernel), columns = ncol(all$x))
}
best <- function(problem, lambda) {
  certificate(kernel_fit(problem$kernel, problem$y, kernel_precomputed(), loss = "logistic",
                         lambda = lambda, solver = "block_sdca", tol = 1e-9))$bound
}
# Stops soon after the target: there the gap is half of it.
run <- function(problem, lambda, method, seed, optimum, every = TRUE) {
  how <- methods[[method]]
  taken <- system.time({
    fit <- kernel_fit(problem$kernel, problem$y, kernel_precomputed(), loss = "logistic",
                      lambda = lambda, solver = how[[1L]], options = how[[2L]],
                      tol = target / 2 / optimum, max_epochs = 5000, seed = seed, every = every)
  })
  trace <- fit$trace
  at <- which(trace$value - optimum <= target)[1L]
  seconds <- sum(taken[1:2]) * trace$seconds[at] / taken[[3L]]
  data.frame(method, seed, epochs = signif(trace$epoch[at], 4), seconds = signif(seconds, 3),
             last_epoch = signif(max(trace$epoch), 4),
             least_error = signif(min(trace$value) - optimum, 3))
}

measured <- list()
add <- function(...) measured[[length(measured) + 1L]] <<- data.frame(...)
table_of <- function(name) {
  set <- load_set(name)
  for (seed in seeds) {
    problem <- problem_of(set, mixed_rows, seed)
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
        if (printed && seed > 1L) next
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

# Gradient descent needs thousands of epochs, hence 1,000 rows of spambase and 500 mixed ones, one
# seed.
descent <- function() {
  set <- load_set("spambase")
  set.seed(1)
  rows <- sample(nrow(set$x), 1000L)
  problem <- problem_of(list(x = set$x[rows, ], y = set$y[rows]), 500L, 1)
  for (step in c(0.1, 0.01, 0.001, 1e-4)) {
    method <- sprintf("sgd, step %s", format(step, scientific = FALSE))
    methods[[method]] <<- list("sgd", c(uniform, step = step))
  }
  for (strength in if (spotting) times[1L] else times) {
    optimum <- best(problem, strength / problem$n)
    shown <- c("auto", "mixup_approx", grep("sgd", names(methods), value = TRUE))
    for (method in if (spotting) shown[1:2] else shown) {
      add(data = "spambase, 1000 rows", n = problem$n, columns = problem$columns, copies = NA,
          times = strength, run(problem, strength / problem$n, method, 1, optimum,
                                every = !grepl("sgd", method)), load = load_average(), bound = NA)
    }
    message(format(Sys.time(), "%T "), "sgd, lambda ", strength, "/n")
  }
}

sets <- c("magic04", "bank", "spambase", "sgd")
only <- intersect(arguments, sets)
if (!length(only)) only <- if (spotting) "sgd" else sets
for (name in only) if (name == "sgd") descent() else table_of(name)
rows <- do.call(rbind, measured)
file <- file.path(folder, "mixup_speed.csv")
before <- if (file.exists(file)) read.csv(file)[names(rows)]
save_results(rbind(before[!before$data %in% rows$data, ], rows), "speed", fresh = rows,
             keys = c("data", "times", "method", "seed"), skip = "least_error")
