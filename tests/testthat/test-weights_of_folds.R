# A row of weight 0 is no row where folds are judged, and a threshold is said wherever classes are.

set.seed(1)
n <- 120
d <- data.frame(x1 = round(rnorm(n), 1), x2 = rnorm(n))
d$y <- factor(ifelse(d$x1 + d$x2 + rnorm(n) > 0, "b", "a"))
d$z <- d$x1 + d$x2 + rnorm(n)
w <- rep(c(0, 1, 2), 40)
folds <- rep(1:5, 24)
kept <- w > 0

plot_table <- function(fit) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(fit, which = "scores")
}

test_that("folds are judged over the rows that count", {
  for (metric in c("r2", "mse")) {
    all <- margin_cv(z ~ x1 + x2, data = d, weights = w, folds = folds, metric = metric,
                     grid = list(lambda = 0.01))
    less <- margin_cv(z ~ x1 + x2, data = d[kept, ], weights = w[kept], folds = folds[kept],
                      metric = metric, grid = list(lambda = 0.01))
    expect_equal(all$results$score, less$results$score, tolerance = 1e-6)
  }
  none <- ifelse(folds == 1, 0, 1)
  open <- margin_cv(z ~ x1 + x2, data = d, weights = none, folds = folds, metric = "r2",
                    grid = list(lambda = 0.01))
  expect_identical(is.na(open$results$score), open$results$fold == 1)
  table <- summary(open)
  known <- open$results$score[open$results$fold != 1]
  expect_equal(table$std.error[1L], sd(known) / 2)
  # with folds that are dealt, as many rows of each class count in each
  few <- rep(c(1, 0, 0, 0, 0), 24)
  dealt <- margin_cv(y ~ x1 + x2, data = d, weights = few, metric = "balanced_accuracy",
                     grid = list(lambda = 0.01), seed = 1)
  expect_false(anyNA(dealt$results$score))
  specs <- list(a = spec_margin("linear", lambda = 0.1), b = spec_margin("linear", lambda = 0.01))
  sizes <- function(...) {
    summary(margin_compare(y ~ x1 + x2, ..., specs = specs, seed = 1,
                           metric = "accuracy"))$models[c("mean", "set_size")]
  }
  expect_equal(sizes(data = d, weights = w, folds = folds),
               sizes(data = d[kept, ], weights = w[kept], folds = folds[kept]), tolerance = 1e-6)
})

test_that("a threshold is used wherever a one-class fit is judged", {
  fit <- margin_oneclass(~ x1 + x2, data = d, nu = 0.2, kernel = kernel_rbf(0.5))
  moved <- margin_threshold(fit, at = -0.02)
  expect_equal(margin_performance(fit, d, threshold = -0.02)$metrics,
               margin_performance(moved, d)$metrics)
  expect_equal(sum(plot_table(moved)$outlier), sum(predict(moved) == "outlier"))
  expect_output(print(moved), "at a decision value of 0")
})

test_that("support vectors are none that mixup made", {
  fit <- margin_kernel(y ~ x1 + x2, data = d, kernel = kernel_rbf(0.5))
  expect_output(print(summary(fit)), "[0-9]+ support vectors\n")
})

test_that("names that clash, and what stands beside a threshold, are errors", {
  named <- function(levels) factor(levels[as.integer(d$y)], levels)
  clash <- margin_linear(y ~ ., data.frame(d[1:2], y = named(c("class", "other"))))
  expect_input_error(augment(clash, data.frame(d[1:2], y = d$y)), "x", "rename")
  sets <- margin_linear(y ~ ., data.frame(d[1:2], y = named(c("a", "p_a")))[1:60, ])
  expect_input_error(margin_conformal(sets, holdout = data.frame(d[1:2], y = named(c("a", "p_a")))[61:120, ]),
                     "fit", "p_a")
  plain <- margin_linear(y ~ x1 + x2, d)
  expect_input_error(margin_conformal(plain, d, by = "y", method = "full"), "by", "label")
  expect_input_error(margin_threshold(plain, at = 1, metric = "f1"), "at", "`metric`")
})

test_that("a row of weight 0 is none of the rows that are counted", {
  grid <- list(lambda = c(0.1, 0.01))
  cv <- margin_cv(z ~ x1 + x2, data = d, weights = w, folds = folds, grid = grid)
  expect_identical(as.numeric(cv$nobs), as.numeric(sum(kept)))
  expect_output(print(cv), "on 80 rows")
  nested <- margin_cv(z ~ x1 + x2, data = d, weights = w, folds = 2, outer = 2, grid = grid, seed = 1)
  expect_output(print(nested), "on 80 rows")
  specs <- list(a = spec_margin("linear", lambda = 0.1), b = spec_margin("linear", lambda = 0.01))
  compared <- margin_compare(y ~ x1 + x2, data = d, weights = w, folds = 3, specs = specs, seed = 1)
  expect_output(print(compared), "on 80 rows")
  fit <- margin_linear(y ~ x1 + x2, data = d, weights = w)
  chosen <- margin_threshold(fit, d, seed = 1)
  expect_match(chosen$threshold$source, "80 training rows")
  known <- summary(margin_calibrate(fit, d, seed = 1))$calibration
  expect_equal(known$n, sum(kept))
  expect_true(all(kept[known$differing$row]))
})
