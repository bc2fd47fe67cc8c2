# Groups that leave together, and losses whose slope jumps: sets of the jackknife+ are those of the
# call itself on the rows that are left.

test_that("groups are the definition with the call itself on the rows left", {
  found <- vapply(1:15, judge_groups, c(checked = 0, missed = 0, open = 0))
  expect_identical(sum(found["missed", ]), 0)
  expect_gt(sum(found["checked", ]), 50)
})

test_that("groups say what they are, and are refused elsewhere", {
  few <- spambase[seq(1, nrow(spambase), by = 30), ]
  fit <- margin_linear(type ~ ., data = few, lambda = 0.1)
  group <- rep_len(1:8, nrow(few))
  object <- margin_conformal(fit, few, groups = group, level = c(0.8, 0.99))
  expect_output(print(object), "154 rows of 8 groups")
  expect_output(print(object), "level 0.99 needs 99 groups")
  expect_identical(summary(object)$counted, c(8L, 8L))
  expect_input_error(margin_conformal(fit, few, groups = group, method = "cv+"), "groups", "cv+")
  expect_input_error(margin_conformal(fit, few, groups = group, folds = 5), "groups", "cv+")
  expect_input_error(margin_conformal(fit, few, groups = group, by = "label"), "by", "groups")
  expect_input_error(margin_conformal(fit, few, groups = 1:10), "groups", "vector with a group")
  expect_input_error(margin_conformal(fit, few, groups = as.integer(few$type)), "data",
                     "all in one group")
  huber <- margin_linear(mpg ~ wt, data = mtcars, loss = "huber")
  expect_input_error(margin_conformal(huber, mtcars, groups = mtcars$cyl), "groups", "without it")
})

test_that("losses whose slope jumps are the definition too", {
  found <- vapply(1:12, judge_kinks, c(checked = 0, missed = 0, open = 0))
  expect_identical(sum(found["missed", ]), 0)
  expect_gt(sum(found["checked", ]), 75)
})

test_that("the hinge says what it needs", {
  few <- spambase[seq(1, nrow(spambase), by = 30), ]
  of <- function(...) margin_linear(type ~ ., data = few, loss = "hinge", lambda = 0.1, ...)
  expect_match(margin_conformal(of(), few, seed = 1)$why, "scale = FALSE")
  expect_match(margin_conformal(of(scale = FALSE), few, seed = 1)$why, "penalized or none")
  object <- margin_conformal(of(scale = FALSE, intercept = "penalized"), few)
  expect_identical(object$method, "jackknife+")
  expect_input_error(margin_conformal(of(scale = FALSE, intercept = "none"), few, refits = 3),
                     "refits", "every optimum")
})

test_that("kernels are the definition with the call itself on the rows left", {
  found <- vapply(1:8, judge_kernel, c(checked = 0, missed = 0, open = 0))
  expect_identical(sum(found["missed", ]), 0)
  expect_gt(sum(found["checked", ]), 50)
})

test_that("a kernel says what it needs", {
  few <- spambase[seq(1, nrow(spambase), by = 60), ]
  of <- function(...) margin_kernel(type ~ ., data = few, lambda = 0.1, loss = "logistic", ...)
  object <- margin_conformal(of(kernel = kernel_rbf(sigma = 0.01), scale = FALSE), few)
  expect_identical(object$method, "jackknife+")
  file <- tempfile()
  saveRDS(object, file)
  expect_identical(predict(readRDS(file), few), predict(object, few))
  obstacle <- function(...) {
    asNamespace("dualmargin")$exact_obstacle(of(...), list(name = "margin"), "jackknife+")
  }
  expect_match(obstacle(kernel = kernel_rbf(sigma = 0.01)), "scale = FALSE")
  expect_match(obstacle(scale = FALSE), "a width that was given")
  expect_match(obstacle(kernel = as_kernel("linear"), scale = FALSE), "no kernel \"linear\"")
  expect_match(suppressWarnings(margin_conformal(of(), few, seed = 1))$why, "scale = FALSE")
})
