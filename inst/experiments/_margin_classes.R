# Part of margin.R: Figure 3 of the paper, all ten digits with the kernel of a network of one hidden
# layer of 128 relu units as it is drawn, by the methods that read one row of the kernel in a step:
# margin and test error against passes. The paper takes 60,000 images; here it is five instances of
# 2,500 training images (22,500 rows, nine for each) and 4,000 of the 10,000 test images, each with
# a network of its own. A point is a run of its own to so many passes, and its classifier the
# direction of the largest margin until then; "adaptive" has the paper's heuristic step,
# "adaptive, theory" that of its Theorem 4.1 for T the steps of the run. The exact margin is that of
# "auto".
# writes: margin_classes.csv
# depends: core src/hard R/margin_hard.R R/kernel_ntk.R
# seeds: 1 to 5 (images, kernel, draws of rows)

count <- if (quick) 300L else 2500L
test_count <- if (quick) 500L else 4000L
marks <- if (quick) c(1, 4) else c(1, 2, 4, 8, 16)
shown <- solvers_among(c("adaptive", "adaptive, theory", "perceptron"))
instances <- if (spotting) 1L else 1:5
if (spotting) marks <- 1

measured <- list()
for (instance in instances) {
  set.seed(instance)
  train <- sample(nrow(digits$train$x), count)
  test <- sample(nrow(digits$test$x), test_count)
  x <- digits$train$x[train, ] / 255
  y <- digits$train$y[train]
  kernel <- kernel_ntk(width = 128, seed = instance)
  add <- function(solver, most, fit, taken) {
    measured[[length(measured) + 1L]] <<- data.frame(
      instance, n = count, pairs = 9L * count, solver, epoch = most,
      cpu = signif(sum(taken[1:2]), 4), steps = fit$status$steps,
      margin = signif(certificate(fit)$value, 10), bound = signif(certificate(fit)$bound, 10),
      certified = certificate(fit)$certified, status = fit$status$status,
      test_error = error_of(fit, digits$test$x[test, ] / 255, digits$test$y[test])
    )
  }
  if (!spotting) {
    taken <- system.time(fit <- hard_fit(x, y, kernel = kernel))
    add("auto", signif(fit$status$epochs, 5), fit, taken)
  }
  for (solver in if (spotting) "perceptron" else shown) for (most in marks) {
    taken <- system.time({
      fit <- hard_fit(x, y, solver, kernel = kernel, max_epochs = most, seed = instance)
    })
    add(solver, most, fit, taken)
  }
  save_results(do.call(rbind, measured), "classes", keys = c("instance", "solver", "epoch"))
}
