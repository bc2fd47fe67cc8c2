# Part of mixup.R: what the parts on time and epochs share: the methods, data with their mixed rows
# and kernel values, and a run until the primal objective is within `target` of the optimum or for
# 5,000 epochs, the stagnation rule of the package off. `most_rows` comes from the part.

target <- 1e-5
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

# Rows with the mixed ones below them, their kernel values and labels. degree: of a polynomial
# kernel (x'z / d + 1)^degree in place of the rbf kernel.
problem_of <- function(set, mixed_rows, seed, degree = NULL) {
  set.seed(seed)
  all <- mixup_data(standardise(set$x), set$y, mixed_rows)
  if (!is.null(degree)) {
    kernel <- (tcrossprod(all$x) / ncol(all$x) + 1)^degree
    return(list(kernel = kernel, y = all$y, n = nrow(kernel), columns = ncol(all$x)))
  }
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
# Stops soon after the target: there the gap is half of it. seconds: until the target, or the end.
run <- function(problem, lambda, method, seed, optimum, every = TRUE) {
  how <- methods[[method]]
  taken <- system.time({
    fit <- kernel_fit(problem$kernel, problem$y, kernel_precomputed(), loss = "logistic",
                      lambda = lambda, solver = how[[1L]], options = how[[2L]],
                      tol = target / 2 / optimum, max_epochs = 5000, seed = seed, every = every,
                      stall = how[[1L]] == "auto")
  })
  trace <- fit$trace
  at <- which(trace$value - optimum <= target)[1L]
  until <- if (is.na(at)) nrow(trace) else at
  seconds <- sum(taken[1:2]) * trace$seconds[until] / taken[[3L]]
  why <- if (!is.na(at)) "target" else if (fit$status$status == "max_epochs") "limit" else
    fit$status$status
  data.frame(method, seed, epochs = signif(trace$epoch[at], 4), seconds = signif(seconds, 3),
             censored = is.na(at), last_epoch = signif(max(trace$epoch), 4),
             least_error = signif(min(trace$value) - optimum, 3), ended = why)
}
