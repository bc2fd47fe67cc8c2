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
