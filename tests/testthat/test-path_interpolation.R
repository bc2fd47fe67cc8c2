# Values between the points of a path: linear interpolation of the coefficients, as glmnet does.

quietly_between <- function(expression) {
  suppressMessages(expression, classes = "dualmargin_message")
}
pair <- droplevels(iris[51:150, ])

test_that("coefficients between two points are the line between theirs", {
  path <- margin_path(mpg ~ wt + hp, mtcars, loss = "squared", lambda = c(1, 0.1, 0.01),
                      mixture = c(0, 0.5), intercept = "free", scale = TRUE)
  all <- coef(path)
  between <- quietly_between(coef(path, lambda = c(0.325, 0.1, 0.0325), mixture = 0.5))
  expect_identical(dim(between), c(3L, 3L))
  expect_equal(unname(between[, 1L]), unname(0.25 * all[, 4L] + 0.75 * all[, 5L]))
  expect_equal(unname(between[, 2L]), unname(all[, 5L]))
  expect_equal(unname(between[, 3L]), unname(0.25 * all[, 5L] + 0.75 * all[, 6L]))
  # without a mixture in every one of them
  both <- quietly_between(coef(path, lambda = 0.325))
  expect_equal(unname(both), unname(0.25 * all[, c(1L, 4L)] + 0.75 * all[, c(2L, 5L)]))
  expect_identical(colnames(both), c("0.325, mixture 0", "0.325, mixture 0.5"))
  # what was solved is as before, without a message
  expect_quiet(solved <- coef(path, lambda = 0.1 * (1 + 1e-12)))
  expect_identical(solved, all[, c(2L, 5L)])
})

test_that("a message says that nothing certifies what was interpolated", {
  path <- margin_path(mpg ~ wt + hp, mtcars, loss = "squared", lambda = c(1, 0.1),
                      intercept = "free", scale = TRUE)
  expect_message(coef(path, lambda = 0.5), "no certificate; fit with margin_linear()",
                 class = "dualmargin_message", fixed = TRUE)
  expect_message(predict(path, mtcars, lambda = c(0.5, 0.3)), "at 2 values of `lambda`",
                 class = "dualmargin_message", fixed = TRUE)
  expect_identical(certificate(path)$lambda, c(1, 0.1))
})

test_that("predictions are those of the interpolated coefficients, in every family", {
  x <- as.matrix(pair[1:4])
  y <- pair$Species
  paths <- list(
    linear = margin_path(x, y, loss = "logistic", lambda = c(1, 0.1), intercept = "free",
                         scale = TRUE),
    kernel = margin_path(x, y, family = "kernel", loss = "logistic", lambda = c(1, 0.1),
                         kernel = kernel_rbf(0.3), intercept = "none", scale = TRUE),
    robust = margin_path(x, y, family = "robust", radius = c(0.2, 0.05), intercept = "free",
                         scale = TRUE),
    augmented = margin_path(x, y, family = "augmented", rate = c(0, 0.2), lambda = 0.1,
                            loss = "logistic", intercept = "penalized", scale = TRUE,
                            control = margin_control(tol = 1e-2, seed = 1))
  )
  for (family in names(paths)) {
    path <- paths[[family]]
    along <- path$coordinates[1L]
    ends <- predict(path, x, type = "score")
    value <- stats::setNames(list(mean(path[[along]])), along)
    middle <- quietly_between(do.call(predict, c(list(path, x, type = "score"), value)))
    expect_equal(unname(middle), unname(cbind(rowMeans(ends))), tolerance = 1e-10, info = family)
    class <- quietly_between(do.call(predict, c(list(path, x), value)))
    expect_identical(class[[1L]], factor(levels(y)[1L + (middle[, 1L] >= 0)], levels(y)),
                     ignore_attr = TRUE)
    beyond <- stats::setNames(list(10 * max(path[[along]])), along)
    expect_error(do.call(coef, c(list(path), beyond)), "but the path goes from",
                 class = "dualmargin_input_error")
  }
})

test_that("one row and none of several classes are predicted from a path", {
  path <- margin_path(Species ~ ., iris, loss = "logistic", lambda = c(0.1, 0.01),
                      intercept = "free", scale = TRUE)
  for (rows in list(7L, integer(), c(3L, 70L, 140L))) {
    full <- predict(path, iris)
    part <- predict(path, iris[rows, ])
    expect_identical(part[[2L]], full[[2L]][rows])
    expect_identical(dim(part), c(length(rows), 2L))
    prob <- predict(path, iris[rows, ], type = "prob")
    expect_identical(dim(prob), c(length(rows), 3L, 2L))
    expect_equal(prob, predict(path, iris, type = "prob")[rows, , , drop = FALSE],
                 ignore_attr = TRUE)
  }
  bare <- unname(as.matrix(iris[7, 1:4]))
  path <- margin_path(unname(as.matrix(iris[1:4])), iris$Species, loss = "logistic",
                      lambda = c(0.1, 0.01), intercept = "free", scale = TRUE)
  expect_identical(dim(predict(path, bare)), c(1L, 2L))
})
