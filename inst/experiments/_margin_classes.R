# Part of margin.R: Figure 3 of the paper, all ten digits with the kernel of a network of one hidden
# layer of 128 relu units as it is drawn, by the methods that read one row of the kernel in a step:
# margin and test error against passes. The paper takes 60,000 images; here it is ten instances of
# 3,500 training images (31,500 rows, nine for each) and 4,000 of the 10,000 test images, each with
# a network of its own. The kernel, that of kernel_ntk(), is computed once for an instance and given
# to all runs as a matrix, so that `cpu` is without it; `kernel_cpu` is what it took. A point is a
# run of its own to so many passes, and its classifier the direction of the largest margin until
# then; "adaptive" has the paper's heuristic step, "adaptive, theory" that of its Theorem 4.1 for T
# the steps of the run. The exact margin is that of "auto".
# writes: margin_classes.csv
# depends: core src/hard R/margin_hard.R
# seeds: 1 to 10 (images, kernel, draws of rows)

count <- if (quick) 300L else 3500L
test_count <- if (quick) 500L else 4000L
marks <- if (quick) c(1, 4) else c(1, 2, 4, 8, 16)
shown <- solvers_among(c("adaptive", "adaptive, theory", "perceptron"))
instances <- if (spotting) 1L else 1:10
if (spotting) marks <- 1

# The kernel values of the rows of a and b: products of the gradients, each divided by its length.
ntk_values <- function(a, b, w) {
  units <- nrow(w)
  open_a <- tcrossprod(a, w)
  open_b <- tcrossprod(b, w)
  length_of <- function(x, open) sqrt(rowSums(pmax(open, 0)^2) + rowSums(x^2) * rowMeans(open > 0))
  values <- tcrossprod(a, b) * tcrossprod((open_a > 0) / units, (open_b > 0) + 0)
  values <- values + tcrossprod(pmax(open_a, 0), pmax(open_b, 0))
  values / outer(length_of(a, open_a), length_of(b, open_b))
}

measured <- list()
for (instance in instances) {
  set.seed(instance)
  train <- sample(nrow(digits$train$x), count)
  test <- sample(nrow(digits$test$x), test_count)
  x <- digits$train$x[train, ] / 255
  y <- digits$train$y[train]
  w <- matrix(rnorm(128 * ncol(x), sd = sqrt(1 / 128)), 128)
  kernel_taken <- system.time({
    values <- ntk_values(x, x, w)
    values <- (values + t(values)) / 2
  })
  test_values <- ntk_values(digits$test$x[test, ] / 255, x, w)
  add <- function(solver, most, fit, taken) {
    measured[[length(measured) + 1L]] <<- data.frame(
      instance, n = count, pairs = 9L * count, solver, epoch = most,
      cpu = signif(sum(taken[1:2]), 4), steps = fit$status$steps,
      margin = signif(certificate(fit)$value, 10), bound = signif(certificate(fit)$bound, 10),
      certified = certificate(fit)$certified, status = fit$status$status,
      test_error = error_of(fit, test_values, digits$test$y[test]),
      kernel_cpu = signif(sum(kernel_taken[1:2]), 4)
    )
  }
  if (!spotting) {
    taken <- system.time(fit <- hard_fit(values, y, kernel = kernel_precomputed()))
    add("auto", signif(fit$status$epochs, 5), fit, taken)
  }
  for (solver in if (spotting) "perceptron" else shown) for (most in marks) {
    taken <- system.time({
      fit <- hard_fit(values, y, solver, kernel = kernel_precomputed(), max_epochs = most,
                      seed = instance)
    })
    add(solver, most, fit, taken)
  }
  save_results(do.call(rbind, measured), "classes", keys = c("instance", "solver", "epoch"))
}
