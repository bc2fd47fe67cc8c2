# A best setting at the edge of its grid is said in print, where the edge is one of the grid.

rows <- local({
  set.seed(8)
  x <- matrix(rnorm(240), 80, dimnames = list(NULL, c("a", "b", "c")))
  list(x = x, y = drop(x %*% c(2, -1, 1)) + 0.1 * rnorm(80))
})
cv_by <- function(grid, ...) {
  margin_cv(rows$x, rows$y, grid = grid, folds = 4, seed = 1, loss = "squared", intercept = "free",
            scale = TRUE, ...)
}
said <- function(cv) {
  text <- paste(trimws(capture.output(print(cv))), collapse = " ")
  regmatches(text, gregexpr("The best [a-z]+, [^ ]+, is the [a-z]+ that was tried: extend the grid",
                            text))[[1L]]
}

test_that("the smallest and the largest lambda are said, an inner one is not", {
  # little noise: the less penalty the better
  expect_identical(said(cv_by(list(lambda = c(10, 1, 0.1)))),
                   "The best lambda, 0.1, is the smallest that was tried: extend the grid")
  expect_identical(said(cv_by(list(cost = c(1e-4, 1e-3, 1e-2)))),
                   "The best cost, 0.01, is the largest that was tried: extend the grid")
  wide <- cv_by(list(lambda = 10^-(-1:9)))
  best <- summary(wide, rule = "best")$lambda
  inner <- cv_by(list(lambda = best * c(100, 1, 1 / 100)))
  expect_equal(summary(inner, rule = "best")$lambda, best)
  expect_identical(said(inner), character())
})

test_that("each number is looked at beside settings that differ in nothing else", {
  cv <- cv_by(list(lambda = c(10, 1, 0.1), mixture = c(0, 0.3, 0.6)))
  expect_match(said(cv)[1L], "The best lambda, 0.1, is the smallest")
  # the default grid of a kernel regression whose best is its last: the review's example
  set.seed(2)
  x <- matrix(runif(60, -3, 3), 60)
  y <- 100 + sin(3 * x[, 1]) + 0.01 * rnorm(60)
  kernel <- margin_cv(x, y, family = "kernel", loss = "squared", kernel = kernel_rbf(1),
                      intercept = "none", scale = FALSE, center = FALSE, folds = 3, seed = 1)
  lambda <- kernel$settings$lambda
  at_edge <- summary(kernel, rule = "best")$lambda %in% range(lambda)
  expect_identical(length(said(kernel)), as.integer(at_edge))
  expect_true(at_edge)
})
