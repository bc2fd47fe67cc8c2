# The gaps that are reported of other packages, against optima computed here and against tolerances.

spam_problem <- function(by = 20) {
  some <- spam_rows(by)
  x <- as.matrix(some[names(some) != "type"])
  list(x = sweep(x, 2L, apply(x, 2L, sd) + (apply(x, 2L, sd) == 0), `/`), y = some$type)
}

gap_of <- function(spec, problem, weights = NULL) {
  model <- if (is.null(weights)) spec$fit_fun(problem$x, problem$y) else
    spec$fit_fun(problem$x, problem$y, weights)
  spec$gap_fun(model, problem$x, problem$y, weights)
}

# At a tight tolerance the objectives agree with ours only if loss, cost and intercept do.
expect_closes <- function(make, loose, tight, within, problem = spam_problem()) {
  for (given in list(problem, list(x = problem$x[rev(seq_len(nrow(problem$x))), ],
                                   y = rev(problem$y)))) {
    rough <- gap_of(make(loose), given)
    fine <- gap_of(make(tight), given)
    testthat::expect_gte(fine$relative_gap, -1e-14)
    testthat::expect_lte(fine$relative_gap, within)
    testthat::expect_true(fine$certified)
    testthat::expect_gt(rough$relative_gap, fine$relative_gap)
  }
}

test_that("e1071's support vector machines are certified, at any cost and order of rows", {
  skip_if_not_installed("e1071")
  for (cost in c(0.02, 3)) {
    expect_closes(function(t) spec_peer("e1071", "linear", cost, tolerance = t), 0.1, 1e-6, 3e-6)
    expect_closes(function(t) spec_peer("e1071", "rbf", cost, tolerance = t), 0.1, 1e-6, 3e-6)
  }
  expect_closes(function(t) spec_peer("e1071", "rbf", 1, 0.2, tolerance = t), 0.1, 1e-6, 3e-6)
})

test_that("kernlab's support vector machines are certified", {
  skip_if_not_installed("kernlab")
  expect_closes(function(t) spec_peer("kernlab", "linear", 0.5, tolerance = t), 0.1, 1e-6, 3e-6)
  expect_closes(function(t) spec_peer("kernlab", "rbf", 2, tolerance = t), 0.1, 1e-6, 3e-6)
})

test_that("glmnet's binomial models are certified, with weights", {
  skip_if_not_installed("glmnet")
  for (mixture in c(0, 0.4, 1)) {
    expect_closes(function(t) spec_peer("glmnet", 0.02, mixture, thresh = t), 1e-3, 1e-14, 2e-6)
  }
  problem <- spam_problem()
  weights <- rep(c(1, 2.5, 0.5), length.out = nrow(problem$x))
  fine <- gap_of(spec_peer("glmnet", 0.02, 0.4, thresh = 1e-14), problem, weights)
  expect_lte(fine$relative_gap, 2e-6)
  expect_gte(fine$relative_gap, 0)
})

test_that("LiblineaR's types are certified for two classes and more", {
  skip_if_not_installed("LiblineaR")
  for (type in c(0, 2, 6, 7)) {
    expect_closes(function(t) spec_peer("LiblineaR", type, 0.1, t), 0.3, 1e-9, 2e-6)
  }
  # dual coordinate descent needs a small cost to get there at all
  for (type in c(1, 3)) {
    expect_closes(function(t) spec_peer("LiblineaR", type, 0.001, t), 0.3, 1e-7, 2e-6)
  }
  expect_closes(function(t) spec_peer("LiblineaR", 5, 0.01, t), 0.3, 1e-9, 2e-6)
  expect_closes(function(t) spec_peer("LiblineaR", 2, 0.1, t, bias = FALSE), 0.3, 1e-9, 2e-6)
  three <- list(x = as.matrix(iris[1:4]), y = iris$Species)
  expect_closes(function(t) spec_peer("LiblineaR", 2, 0.1, t), 0.3, 1e-9, 2e-6, three)
  expect_closes(function(t) spec_peer("LiblineaR", 0, 0.1, t), 0.3, 1e-9, 2e-6, three)
})

three_class_makers <- list(
  e1071 = function(...) spec_peer("e1071", tolerance = 1e-6, ...),
  kernlab = function(...) spec_peer("kernlab", "rbf", tolerance = 1e-6, ...),
  glmnet = function(...) spec_peer("glmnet", 0.1, thresh = 1e-14, ...),
  LiblineaR = function(...) spec_peer("LiblineaR", 2, 0.1, 1e-10, ...)
)
for (package in names(three_class_makers)) {
  test_that(paste("three classes have a gap too, with a weight for each:", package), {
    skip_if_not_installed(package)
    three <- list(x = as.matrix(iris[1:4]), y = iris$Species)
    for (given in list(NULL, c(setosa = 1, versicolor = 5, virginica = 0.2))) {
      spec <- three_class_makers[[package]](class_weights = given)
      expect_lte(gap_of(spec, three)$relative_gap, 1e-5)
    }
  })
}

test_that("where there is no bound there is no gap", {
  if (requireNamespace("e1071", quietly = TRUE)) {
    expect_identical(spec_peer("e1071", certify = FALSE)$gap_fun()$why, "`certify` is FALSE")
  }
  skip_if_not_installed("ranger")
  comparison <- margin_compare(
    mpg ~ ., mtcars, list(forest_spec(20), spec_margin("linear", loss = "squared")), folds = 3,
    seed = 1
  )
  expect_true(all(is.na(comparison$results$relative_gap[1:3])))
  expect_true(all(is.na(comparison$results$certified[1:3])))
  expect_output(print(comparison), "ranger .*unknown +unknown")
})

test_that("a package that is not in the table is an error", {
  expect_input_error(spec_peer(), "package", "is missing")
  expect_input_error(spec_peer("ranger"), "package", "The choices are")
})

test_that("bad arguments of ready specifications are errors of their own", {
  input_error <- function(expression, words) {
    expect_error(expression, words, class = "dualmargin_input_error")
  }
  skip_if_not_installed("e1071")
  input_error(spec_peer("e1071", "radial"), "`kernel` is \"radial\"")
  input_error(spec_peer("e1071", cost = 0), "`cost` is 0")
  input_error(spec_peer("e1071", "rbf", sigma = -1), "`sigma` is -1")
  input_error(spec_peer("e1071", "linear", sigma = 1), "`sigma` is given, but the linear kernel has none")
  input_error(spec_peer("e1071", tolerance = 0), "`tolerance` is 0")
  input_error(spec_peer("e1071", certify = NA), "`certify` is NA")
  input_error(spec_peer("e1071", tol = 0), "`tol` is 0")
  specs <- list(spec_peer("e1071"), spec_margin("linear", loss = "squared"))
  input_error(margin_compare(mpg ~ ., mtcars, specs),
              '`y` is numeric, and spec_peer\\("e1071"\\) is for classes')
  skip_if_not_installed("glmnet")
  input_error(spec_peer("glmnet", "a"), "`lambda` is \"a\"")
  input_error(spec_peer("glmnet", -1), "`lambda` is -1")
  input_error(spec_peer("glmnet", 1, 2), "`mixture` is 2")
  input_error(spec_peer("glmnet", 1, thresh = 0), "`thresh` is 0")
  skip_if_not_installed("LiblineaR")
  input_error(spec_peer("LiblineaR", 4), "`type` is 4, but must be one of 0, 1, 2, 3, 5, 6, 7")
  input_error(spec_peer("LiblineaR", cost = -1), "`cost` is -1")
  input_error(spec_peer("LiblineaR", tolerance = 0), "`tolerance` is 0")
  input_error(spec_peer("LiblineaR", bias = 1), "`bias` is 1")
})

test_that("glmnet's default penalty is one over the weights of the rows, and certified", {
  skip_if_not_installed("glmnet")
  y <- ifelse(spam_rows(40)$type == "spam", "a", "b")
  x <- as.matrix(spam_rows(40)[1:5])
  specs <- list(glmnet = spec_peer("glmnet"), ours = spec_margin("linear", loss = "logistic"))
  both <- margin_compare(x, factor(y), specs, folds = 3, seed = 1,
                         weights = rep(1:2, length.out = length(y)))
  scores <- split(both$results$score, both$results$model)
  expect_equal(scores$glmnet, scores$ours, tolerance = 1e-3)
  expect_true(all(both$results$certified))
})

test_that("a comparison states the excess of every model that an audit knows, else why not", {
  rows <- spam_rows(40)
  two <- function(x, y) data.frame(x[, 1:3], y = y)
  logistic <- model_spec(
    fit_fun = function(x, y) suppressWarnings(stats::glm(y ~ ., stats::binomial(), two(x, y))),
    predict_fun = function(model, x, levels) unname(stats::predict(model, as.data.frame(x))),
    name = "glm"
  )
  ours <- model_spec(
    fit_fun = function(x, y) margin_linear(x, y, lambda = 0.1),
    predict_fun = function(model, x, levels) unname(predict(model, x, type = "score")), name = "ours"
  )
  comparison <- quiet_compare(list(logistic, ours, threshold_spec("capital_run_length_total", 3, "cut")),
                              type ~ ., data = rows, folds = 2, seed = 1)
  of <- function(model) comparison$results[comparison$results$model == model, ]
  expect_lt(max(of("glm")$relative_gap), 1e-6)
  expect_identical(of("glm")$certified, c(TRUE, TRUE))
  expect_identical(of("ours")$excess, c(0, 0))
  expect_true(all(is.na(of("cut")$excess)))
  models <- summary(comparison)$models
  expect_identical(models$why, c(NA, NA, "its objective is not known"))
  expect_output(print(comparison), "cut: no excess is known, as its objective is not known[.]")
  skip_if_not_installed("LiblineaR")
  linear <- function(name, ...) model_spec(
    fit_fun = function(x, y) LiblineaR::LiblineaR(x, y, type = 1),
    predict_fun = function(model, x, levels) stats::predict(model, x)$predictions, name = name
  )
  comparison <- quiet_compare(list(linear("theirs"), spec_peer("LiblineaR", type = 1)), type ~ .,
                              data = rows, folds = 2, seed = 1, scale = FALSE)
  models <- summary(comparison)$models
  expect_match(models$why[1L], "`cost` is missing")
  results <- comparison$results[3:4, ]
  expect_true(all(results$excess > 0 & results$excess <= results$relative_gap / (1 - results$relative_gap)))
  expect_output(print(comparison), "excess: of the worst fit over its own optimum, at least")
})
