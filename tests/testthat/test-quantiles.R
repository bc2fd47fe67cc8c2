# Several quantiles in one fit: each is the fit of its tau, in one object, whose predictions do not
# cross.

taus <- c(0.1, 0.5, 0.9)
tight <- margin_control(tol = 1e-9)
three <- function(...) margin_linear(..., loss = loss_quantile(taus), control = tight)
# Few rows and many columns, whose quantiles cross.
crossing <- local({
  set.seed(3)
  x <- matrix(rnorm(40 * 6), 40, dimnames = list(NULL, paste0("x", 1:6)))
  list(x = x, y = x[, 1] + rnorm(40), new = matrix(3 * rnorm(200 * 6), 200,
                                                   dimnames = dimnames(x)))
})
pinball <- function(y, z, tau) mean(pmax(tau * (y - z), (1 - tau) * (z - y)))

test_that("coefficients, dual points and certificates have a column or row for each tau", {
  fit <- three(mpg ~ wt + hp, mtcars, lambda = 0.05)
  labels <- paste("tau =", taus)
  expect_identical(dimnames(coef(fit)), list(c("(Intercept)", "wt", "hp"), labels))
  expect_identical(colnames(predict(fit, mtcars)), labels)
  all <- certificate(fit, by = "tau")
  worst <- certificate(fit)
  expect_identical(worst$relative_gap, max(all$relative_gap))
  expect_identical(worst$class, labels[which.max(all$relative_gap)])
  expect_identical(certificate(fit, by = "class")$class, labels)
  table <- as.data.frame(tidy(fit))
  expect_identical(table$tau, rep(taus, each = 3))
  expect_identical(table$estimate, as.vector(coef(fit)))
  expect_identical(sort(names(summary(fit)$coefficients)),
                   c("estimate", "scaled", "tau", "term"))
  expect_identical(glance(fit)$relative_gap, worst$relative_gap)
  expect_output(print(fit), "linear regression of 3 quantiles", fixed = TRUE)
  expect_output(print(fit), "3 of 3 quantiles; the worst is tau =", fixed = TRUE)
  expect_output(print(summary(fit)), "predicted quantiles, tau = 0.1, 0.5, 0.9", fixed = TRUE)
})

test_that("with a free intercept a share tau at most lies below, 1 - tau at most above", {
  fit <- three(crossing$x, crossing$y, lambda = 0.05)
  for (k in 1:3) {
    z <- fit$scores[, k]
    near <- 1e-4
    expect_lte(mean(crossing$y < z - near), taus[k])
    expect_lte(mean(crossing$y > z + near), 1 - taus[k])
  }
})

test_that("quantiles that cross are sorted within a row, which is told and costs no loss", {
  fit <- three(crossing$x, crossing$y, lambda = 1e-3)
  raw <- expect_quiet(predict(fit, crossing$new, type = "score"))
  crossed <- which(raw[, 1] > raw[, 2] | raw[, 2] > raw[, 3])
  expect_gt(length(crossed), 5L)
  expect_message(mended <- predict(fit, crossing$new),
                 sprintf("Quantiles cross in %d of 200 rows", length(crossed)),
                 class = "dualmargin_message")
  expect_identical(unname(mended), unname(t(apply(raw, 1L, sort))))
  expect_identical(mended[-crossed, ], raw[-crossed, ])
  for (seed in 1:3) {
    set.seed(seed)
    y <- rnorm(200, sd = 3)
    loss <- function(z) sum(vapply(1:3, function(k) pinball(y, z[, k], taus[k]), 0))
    expect_lte(loss(mended), loss(raw) + 1e-12)
  }
  calm <- three(mpg ~ wt, mtcars, lambda = 0.1)
  expect_quiet(predict(calm, mtcars))
  some <- crossing$new
  some[c(2, crossed[1L]), 1L] <- NA
  missing <- suppressMessages(predict(fit, some))
  expect_true(all(is.na(missing[c(2, crossed[1L]), ])))
  expect_identical(missing[-c(2, crossed[1L]), ], mended[-c(2, crossed[1L]), ])
  expect_identical(unname(residuals(fit)), unname(crossing$y - suppressMessages(fitted(fit))))
})

test_that("the metric is the mean pinball loss, coverage that of each tau", {
  train <- mtcars[1:20, ]
  test <- mtcars[21:32, ]
  fit <- three(mpg ~ wt + hp, train, lambda = 0.05)
  z <- suppressMessages(predict(fit, test))
  judged <- margin_performance(fit, test)
  by_hand <- mean(vapply(1:3, function(k) pinball(test$mpg, z[, k], taus[k]), 0))
  expect_identical(judged$metrics$metric, "pinball")
  expect_equal(judged$metrics$value, by_hand)
  expect_equal(judged$coverage, list(tau = taus, share = unname(colMeans(test$mpg <= z))))
  expect_equal(unname(summary(fit)$performance$loss),
               suppressMessages(margin_performance(fit, train))$metrics$value)
  ids <- rep(1:2, 16)
  cv <- margin_cv(mpg ~ wt + hp, mtcars, loss = loss_quantile(taus), folds = ids,
                  grid = list(lambda = c(0.1, 0.01)), seed = 1, control = tight)
  for (row in seq_len(nrow(cv$results))) {
    of <- cv$results[row, ]
    one <- three(mpg ~ wt + hp, mtcars[ids != of$fold, ], lambda = of$lambda)
    expect_equal(of$score, margin_performance(one, mtcars[ids == of$fold, ])$metrics$value,
                 tolerance = 1e-4)
  }
  expect_identical(coef(refit(cv)), coef(three(mpg ~ wt + hp, mtcars,
                                               lambda = summary(cv, rule = "best")$lambda)))
  expect_identical(nrow(margin_cv(mpg ~ wt, mtcars, loss = loss_quantile(taus), folds = ids,
                                  seed = 1)$settings), 20L)
})

test_that("rows are given back with a column for each tau", {
  fit <- three(mpg ~ wt, mtcars, lambda = 0.05)
  rows <- as.data.frame(augment(fit, mtcars))
  expect_identical(rows$.fitted_0.9, unname(predict(fit)[, 3]))
  expect_identical(rows$.resid_0.1, mtcars$mpg - rows$.fitted_0.1)
})

test_that("at a vanishing penalty it is quantile regression", {
  skip_if_not_installed("quantreg")
  fit <- three(dist ~ speed, cars, lambda = 1e-8)
  theirs <- getExportedValue("quantreg", "rq")(dist ~ speed, tau = taus, data = cars)
  for (k in 1:3) {
    expect_equal(pinball(cars$dist, fit$scores[, k], taus[k]),
                 pinball(cars$dist, stats::fitted(theirs)[, k], taus[k]), tolerance = 1e-5)
  }
})

test_that("what asks for one quantile refuses several by name", {
  fit <- three(mpg ~ wt, mtcars, lambda = 0.05)
  several <- loss_quantile(taus)
  for (ask in list(margin_certain, margin_loo, margin_conformal)) {
    expect_input_error(ask(fit, mtcars), "fit", "loss = loss_quantile(0.1)")
  }
  expect_input_error(support_rows(fit), "fit", "3 quantiles")
  expect_input_error(margin_report(fit), "fit", "margin_report() is asked of one")
  for (ask in list(margin_path, margin_kernel, margin_augmented, compare_solvers)) {
    expect_input_error(ask(mpg ~ wt, mtcars, loss = several), "loss", "3 values of tau")
  }
  expect_input_error(spec_margin(loss = several), "loss", "3 values of tau")
  expect_input_error(margin_performance(fit, mtcars, "mse"), "metrics", "use \"pinball\"")
  expect_input_error(margin_cv(mpg ~ wt, mtcars, loss = several, metric = "rmse"), "metric",
                     "judges one number a row")
  expect_input_error(certificate(margin_linear(mpg ~ wt, mtcars), by = "tau"), "by",
                     "not one of several quantiles")
  expect_input_error(three(mpg ~ wt, mtcars, solver = "newton"), "loss", "quantile")
  expect_input_error(margin_linear(factor(am) ~ wt, mtcars, loss = several), "loss",
                     "numeric response")
  for (bad in list(c(0.1, 0.1), c(0, 0.5), c(0.5, 1), c(0.1, NA), c(0.1, Inf))) {
    expect_input_error(loss_quantile(bad), "tau", "tau")
  }
})
