# What plot() of a cross-validation draws is what summary() says, where it says.

some <- spambase[seq(1, nrow(spambase), by = 23), ]
grid <- list(lambda = 10^-(1:3), mixture = c(0, 0.5))
cv <- margin_cv(type ~ ., some, loss = "logistic", grid = grid, folds = 3, seed = 1,
                metric = c("log_loss", "accuracy"))
kernels <- margin_cv(Species ~ ., iris, family = "kernel", folds = 3, seed = 1,
                     grid = list(kernel = list(as_kernel("linear"), kernel_rbf(1))), intercept = "none",
                     center = FALSE)
internal <- asNamespace("dualmargin")

test_that("the table drawn is that of the metric", {
  expect_identical(on_null_device(plot(cv)), summary(cv))
  expect_identical(on_null_device(plot(cv, metric = "accuracy", along = "mixture", main = "own")),
                   summary(cv, metric = "accuracy"))
  expect_identical(on_null_device(plot(kernels)), summary(kernels))
  expect_invisible(on_null_device(plot(cv, top = 1)))
})

test_that("settings stand at the logarithm of what they vary, lambda falling to the right", {
  axis <- internal$cv_axis(cv, NULL)
  expect_identical(axis$column, "lambda")
  expect_equal(axis$at, rep(1:3, 2))
  expect_identical(axis$label, "lambda (log scale)")
  axis <- internal$cv_axis(cv, "mixture")
  expect_identical(axis$at, rep(c(0, 0.5), each = 3))
  expect_identical(axis$label, "mixture (share of the l1 norm)")
  of <- function(...) internal$cv_axis(list(settings = data.frame(...)), NULL)
  expect_equal(of(cost = c(1, 100))$at, c(0, 2))
  expect_identical(of(radius = c(0, 1))$at, c(0, -1)) # zero has no logarithm
  expect_equal(of(radius = c(0.1, 1))$at, c(1, 0)) # what makes the model small falls to the right
  expect_identical(of(rate = c(0.1, 0.5))$at, c(-0.1, -0.5))
  expect_identical(of(radius = c(0.1, 1))$label, "radius (unit of the columns, log scale)")
  expect_identical(of(loss = c("hinge", "logistic"), lambda = 1)$names, c("hinge", "logistic"))
  expect_identical(of(label_cost = c(1, Inf))$names, c("1", "Inf"))
  expect_identical(of(lambda = 1)$names, "the one setting")
  expect_identical(internal$cv_axis(kernels, NULL)$names, c("linear", "rbf (sigma = 1)"))
})

test_that("one line for each combination of the other columns, named by what varies", {
  series <- internal$cv_series(cv, "lambda")
  expect_identical(levels(series), c("mixture 0", "mixture 0.5"))
  expect_identical(as.integer(series), rep(1:2, each = 3))
  expect_identical(nlevels(internal$cv_series(kernels, NULL)), 1L)
  settings <- expand.grid(lambda = 1:2, sigma = 1:3, scale = TRUE)
  expect_identical(levels(internal$cv_series(list(settings = settings), "lambda")),
                   paste("sigma", 1:3))
  close_by <- data.frame(lambda = 1, mixture = c(0.12341, 0.12342))
  expect_identical(anyDuplicated(levels(internal$cv_series(list(settings = close_by), "lambda"))),
                   0L)
})

test_that("the lines with the best scores have the colours, and the key says what there is", {
  table <- data.frame(mean = c(1, 5, 3, 2, NA, 4), std.error = 0, certified = 1,
                      lambda = c(1, 2, 1, 2, 1, 2))
  series <- factor(rep(c("a", "b", "c"), each = 2))
  style <- internal$series_style(table, series, list(maximize = TRUE), 2)
  expect_identical(style$rank, c(1L, 3L, 2L))
  expect_identical(style$coloured, c(TRUE, FALSE, TRUE))
  style <- internal$series_style(table, series, list(maximize = FALSE), 2)
  expect_identical(style$coloured, c(TRUE, TRUE, FALSE))
  expect_identical(internal$cv_key(style, FALSE)$labels, c("a", "b", "the others"))
  expect_identical(internal$cv_key(style, TRUE)$labels, c("a", "b", "the others", "not certified"))
})

test_that("above the frame the marked settings are named by all that varies", {
  named <- function(best, simple) internal$marked_settings(cv, best, simple)
  expect_identical(named(5, 4), c("best (circle): lambda 0.01, mixture 0.5",
                                  "one s.e. (square): lambda 0.1, mixture 0.5"))
  expect_identical(named(2, 2), "best and one s.e. (circle): lambda 0.01, mixture 0")
  expect_identical(named(2, NA), "best (circle): lambda 0.01, mixture 0")
  marks <- vapply(c("best", "one_se"), function(rule) summary(cv, rule = rule)$setting, 0L)
  text <- drawn_text(plot(cv))
  expect_true(all(named(marks[[1L]], marks[[2L]]) %in% text))
  expect_true("log loss (nats), lower is better" %in% text)
})

test_that("the title stands above the lines of the marked settings", {
  for (marked in list("first", c("first", "second"), character())) {
    table <- internal$cv_table(cv, internal$cv_metric(cv, "log_loss"))
    axis <- internal$cv_axis(cv, NULL)
    text <- drawn_text(internal$draw_cv(
      table, axis, internal$cv_series(cv, axis$column), c(best = 1L, simple = 2L),
      internal$cv_metric(cv, "log_loss"), "log loss", 8L, "The title", marked, list()
    ))
    lines <- match(c(rev(marked), "The title"), text)
    foot <- attr(text, "height")[lines]
    top <- foot + attr(text, "size")[lines]
    expect_true(all(foot[-1L] >= top[-length(top)]), label = paste(length(marked), "lines"))
    expect_lte(max(top), 5 * 72)
  }
})

test_that("a radius has the unit of the columns that were fitted, in a path as in its folds", {
  of <- function(...) margin_cv(type ~ ., some, family = "robust", folds = 2, seed = 1, ...)
  label <- function(cv) internal$cv_axis(cv, "radius")$label
  radii <- c(0.1, 0.01)
  whole <- of(grid = list(radius = radii))
  path <- margin_path(type ~ ., some, family = "robust", radius = radii)
  expect_identical(label(whole), "radius (unit of the scaled columns, log scale)")
  expect_true(label(whole) %in% drawn_text(plot(whole)))
  expect_true(label(whole) %in% drawn_text(plot(path)))
  plain <- "radius (unit of the columns, log scale)"
  expect_identical(label(of(grid = list(radius = radii), scale = FALSE)), plain)
  expect_identical(label(of(grid = list(radius = radii, scale = FALSE))), plain)
  expect_identical(label(of(grid = list(radius = radii, scale = c(TRUE, FALSE)))), plain)
  old <- whole
  old$scale <- NULL # of version 0.2
  expect_identical(label(old), plain)
})

test_that("axes name metric, unit and direction", {
  label <- function(name) internal$cv_ylab(internal$known_metrics()[[name]])
  expect_identical(label("log_loss"), "log loss (nats), lower is better")
  expect_identical(label("accuracy"), "accuracy (share of rows), higher is better")
  expect_identical(label("hinge"), "hinge, lower is better")
})

test_that("one setting, one fold, equal scores and missing ones draw", {
  one <- margin_cv(Species ~ ., iris, grid = list(), folds = 3, loss = "smooth_hinge")
  expect_identical(on_null_device(plot(one)), summary(one))
  hard <- margin_cv(Species ~ ., iris[1:100, ], family = "hard", folds = 3,
                    grid = list(intercept = c("none", "free")))
  expect_identical(on_null_device(plot(hard))$mean, c(1, 1))
  expect_identical(internal$score_limits(c(1, 1)), c(0.98, 1.02))
  expect_identical(internal$score_limits(c(0, 0)), c(-0.001, 0.001))
  expect_identical(internal$score_limits(c(2, 1)), c(1, 2))
  absent <- cv
  absent$results$score[absent$results$setting == 2] <- NA
  expect_identical(is.na(on_null_device(plot(absent))$mean), 1:6 == 2)
})

test_that("what cannot be drawn says why, and par() is as before", {
  expect_told("plot_cv", "input", {
    on_null_device(plot(cv, metric = "auroc"))
    on_null_device(plot(cv, along = "lamda"))
    on_null_device(plot(kernels, along = "sigma"))
    on_null_device(plot(cv, top = 0))
  })
  on_null_device({
    before <- graphics::par("mar", "mai", "mfrow")
    plot(cv)
    plot(kernels)
    expect_equal(graphics::par("mar", "mai", "mfrow"), before)
  })
})
