# autoplot(): the numbers that plot() draws, in layers of ggplot2.

skip_if_not_installed("ggplot2")
autoplot <- function(...) getExportedValue("ggplot2", "autoplot")(...)
built <- function(plot) getExportedValue("ggplot2", "ggplot_build")(plot)$data
quietly_drawn <- function(...) on_null_device(plot(...))

cars <- transform(mtcars, cyl = factor(cyl))
line <- margin_linear(mpg ~ wt + hp + cyl, cars)
three <- margin_linear(Species ~ ., iris)

test_that("pictures of a fit have the numbers of plot(), and open no device", {
  before <- grDevices::dev.list()
  picture <- autoplot(line)
  expect_identical(grDevices::dev.list(), before)
  expect_s3_class(picture, "ggplot")
  expect_equal(picture$data, quietly_drawn(line))
  points <- Filter(function(layer) nrow(layer) == 32L, built(picture))[[1L]]
  expect_equal(points$x, unname(fitted(line)))
  expect_equal(points$y, unname(residuals(line)))
  for (which in c("residuals", "qq", "spread", "scores", "convergence", "coefficients")) {
    expect_gt(length(built(autoplot(line, which))), 0L)
  }
  expect_equal(autoplot(three, "scores")$data, quietly_drawn(three, "scores"))
  gaps <- built(autoplot(three, "convergence"))
  expect_equal(10^sort(gaps[[3L]]$y),
               sort(pmax(quietly_drawn(three, "convergence")$relative_gap, 1e-16)))
  bars <- built(autoplot(three, "coefficients"))[[1L]]
  expect_equal(sort(bars$xmin + bars$xmax), sort(quietly_drawn(three, "coefficients")$scaled))
  hinge <- margin_linear(Species ~ ., droplevels(iris[51:150, ]), loss = "hinge")
  calibrated <- margin_calibrate(hinge, droplevels(iris[51:150, ]), seed = 1)
  expect_equal(autoplot(calibrated, "calibration")$data, quietly_drawn(calibrated, "calibration"))
  one <- margin_oneclass(iris[1:4])
  expect_equal(autoplot(one)$data, quietly_drawn(one))
})

test_that("paths, cross-validation and prediction sets have theirs", {
  path <- margin_path(mpg ~ wt + hp, mtcars, n_lambda = 10)
  drawn <- quietly_drawn(path)
  layer <- built(autoplot(path))[[1L]]
  expect_equal(sort(layer$y), sort(drawn$scaled))
  expect_equal(sort(10^layer$x), sort(drawn$lambda))
  expect_gt(length(built(autoplot(path, "gap"))), 1L)
  cv <- margin_cv(Species ~ ., iris, family = "kernel", folds = 3, seed = 1,
                  grid = list(lambda = c(0.1, 0.01), sigma = c(0.1, 1)))
  layers <- built(autoplot(cv))
  table <- quietly_drawn(cv)
  expect_equal(sort(layers[[1L]]$y), sort(table$mean))
  expect_equal(sort(layers[[2L]]$ymax), sort(table$mean + table$std.error))
  expect_length(unique(layers[[1L]]$group), 2L)
  losses <- margin_cv(mpg ~ wt, mtcars, folds = 3, seed = 1, metric = "mse",
                      grid = list(loss = list("squared", "huber")))
  expect_length(built(autoplot(losses))[[3L]]$y, 2L)
  sets <- margin_conformal(line, cars, seed = 1)
  expect_equal(built(autoplot(sets, cars))[[3L]]$y, quietly_drawn(sets, cars)$coverage)
})

test_that("comparisons, performance and bootstrap have theirs", {
  specs <- list(hinge = spec_margin("linear", loss = "hinge"),
                logistic = spec_margin("linear", loss = "logistic"))
  models <- margin_compare(Species ~ ., iris, specs, folds = 3, seed = 1)
  expect_equal(built(autoplot(models))[[2L]]$x, quietly_drawn(models)$difference)
  expect_equal(built(autoplot(models, "scores"))[[1L]]$x, quietly_drawn(models, "scores")$score)
  judged <- margin_performance(three, iris)
  curves <- quietly_drawn(judged)
  expect_equal(sort(built(autoplot(judged))[[2L]]$y), sort(curves$sensitivity))
  expect_equal(sort(built(autoplot(judged, "pr"))[[1L]]$x), sort(quietly_drawn(judged, "pr")$recall))
  lasso <- margin_linear(mpg ~ wt + hp + qsec, mtcars, loss = "squared", lambda = 0.3, mixture = 1)
  drawn <- margin_bootstrap(lasso, mtcars, resamples = 40, seed = 1)
  layers <- built(autoplot(drawn))
  intervals <- quietly_drawn(drawn)
  expect_equal(sort(layers[[2L]]$xmin), sort(intervals$lower))
  expect_equal(sort(layers[[3L]]$x), sort(intervals$estimate))
  expect_equal(sort(built(autoplot(drawn, "selection"))[[1L]]$x),
               sort(quietly_drawn(drawn, "selection")$selected))
  expect_error(autoplot(models, "nosuch"), class = "dualmargin_input_error")
})

test_that("a picture that plot() alone draws, and what plot() refuses, say so", {
  refused <- function(..., words) {
    expect_error(autoplot(...), words, class = "dualmargin_input_error")
  }
  hinge <- margin_linear(factor(am) ~ wt, mtcars, loss = "hinge")
  refused(hinge, "support", words = "plot\\(\\) alone draws")
  refused(line, "nosuch", words = "not known")
  refused(line, nosuch = 1, words = "not an argument")
  refused(three, "qq", words = "two classes")
  refused(margin_conformal(line, cars, seed = 1), words = "`newdata` is missing")
})
