# What a user of margin_hard() meets: interfaces, methods, plots, errors. The solvers have files of
# their own.

flowers <- droplevels(iris[iris$Species != "virginica", ])
apart <- as.matrix(flowers[1:4])

test_that("scores are distances, the smallest of which is the margin, certified", {
  for (intercept in c("none", "penalized", "free")) for (scale in c(FALSE, TRUE)) {
    fit <- margin_hard(apart, flowers$Species, intercept = intercept, scale = scale)
    expect_true(fit$certificate$certified)
    expect_identical(fit$certificate$kind, "margin interval")
    expect_lte(fit$certificate$value, fit$certificate$bound * (1 + 1e-12))
    own <- ifelse(flowers$Species == "versicolor", 1, -1) * fit$scores
    expect_equal(min(own), fit$certificate$value, tolerance = 1e-9)
    expect_equal(predict(fit, apart, type = "score"), fit$scores, ignore_attr = TRUE)
    expect_equal(fitted(fit), flowers$Species, ignore_attr = TRUE)
    slopes <- coef(fit)[intersect(names(coef(fit)), c(if (intercept == "penalized") "(Intercept)",
                                                      colnames(apart)))]
    sizes <- fit$scales[names(slopes)]
    expect_equal(sum((slopes * ifelse(is.na(sizes), 1, sizes))^2), 1, tolerance = 1e-12)
    # the bound, from the weights
    q <- fit$dual
    expect_equal(sum(q), 1, tolerance = 1e-12)
    expect_gte(min(q), 0)
    y <- ifelse(flowers$Species == "versicolor", 1, -1)
    rows <- sweep(apart, 2L, fit$scales, `/`)
    if (intercept == "penalized") rows <- cbind(rows, 1)
    expect_equal(sqrt(sum(colSums(q * y * rows)^2)), fit$certificate$bound, tolerance = 1e-9)
    if (intercept == "free") expect_equal(sum(q * y), 0, tolerance = 1e-12)
  }
})

test_that("several classes are one model, whose differences of scores are the margin", {
  set.seed(1)
  x <- matrix(rnorm(300 * 10), 300)
  linear <- x %*% matrix(rnorm(30), 10)
  order <- t(apply(linear, 1L, sort, decreasing = TRUE))
  keep <- order[, 1] - order[, 2] > 1
  y <- factor(c("a", "b", "c")[max.col(linear)])[keep]
  x <- x[keep, ]
  fit <- margin_hard(x, y, intercept = "none")
  expect_true(fit$certificate$certified)
  expect_identical(dim(coef(fit)), c(10L, 3L))
  expect_equal(sum(coef(fit)^2), 0.5, tolerance = 1e-12)
  own <- fit$scores[cbind(seq_along(y), as.integer(y))]
  other <- apply(replace(fit$scores, cbind(seq_along(y), as.integer(y)), -Inf), 1L, max)
  expect_equal(min(own - other), fit$certificate$value, tolerance = 1e-9)
  expect_equal(fitted(fit), y, ignore_attr = TRUE)
  expect_equal(sum(fit$dual), 1, tolerance = 1e-12)
  expect_true(all(fit$dual[cbind(seq_along(y), as.integer(y))] == 0))
  support <- support_rows(fit)
  expect_true(all(as.character(support$response) != support$class))
  expect_equal(sum(support$weight), 1, tolerance = 1e-12)
  expect_output(print(fit), "3 classes, one model")
})

test_that("rows that cannot be separated are proved so, and the fit stays usable", {
  mixed <- droplevels(iris[iris$Species != "setosa", ])
  for (intercept in c("none", "penalized", "free")) {
    expect_warning(fit <- margin_hard(Species ~ ., data = mixed, intercept = intercept),
                   class = "dualmargin_not_separable")
    expect_false(fit$separable)
    expect_false(fit$certificate$certified)
    y <- ifelse(mixed$Species == "virginica", 1, -1)
    x <- as.matrix(mixed[1:4])
    expect_equal(sum(fit$dual), 1)
    expect_gte(min(fit$dual), 0)
    expect_lt(sqrt(sum(colSums(fit$dual * y * x)^2)), 1e-10)
    expect_lt(abs(fit$residual), 1e-10)
    if (intercept != "none") expect_lt(abs(sum(fit$dual * y)), 1e-10)
    expect_lt(fit$certificate$value, 0)
    expect_output(print(fit), "cannot be separated")
    expect_length(predict(fit, mixed), 100L)
  }
  expect_warning(margin_hard(Species ~ Sepal.Length, data = iris, intercept = "none"),
                 class = "dualmargin_not_separable")
})

test_that("what cannot be fitted is refused by name, value and remedy", {
  refused <- function(code, message, arg) {
    condition <- expect_error(code, class = "dualmargin_input_error")
    expect_match(conditionMessage(condition), message, fixed = TRUE)
    expect_identical(condition$arg, arg)
  }
  hard <- function(...) margin_hard(apart, flowers$Species, ...)
  refused(hard(intercept = "fre"), "did you mean \"free\"", "intercept")
  refused(hard(solver = "momentum", intercept = "free"), "cannot fit intercept", "intercept")
  refused(hard(lambda = 1), "`lambda` is not an argument of margin_hard()", "lambda")
  refused(hard(class_weights = "balanced"), "is not an argument", "class_weights")
  refused(hard(control = margin_control(solver_options = list(batches = 1)),
               solver = "active_set"), "did you mean \"batch\"", "solver_options")
  refused(margin_hard(apart, rnorm(100), intercept = "none"), "`y`", "y")
})
