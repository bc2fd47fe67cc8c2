# The learner of inst/frameworks/mlr3_learner.R, which vignette("frameworks") shows.

learner_of <- function(..., predict_type = "response", which = "margin_linear") {
  source(system.file("frameworks", "mlr3_learner.R", package = "dualmargin"), local = TRUE)
  learner <- get(paste0("learner_", which))$new()
  learner$param_set$set_values(...)
  learner$predict_type <- predict_type
  learner
}

flowers <- transform(iris, Big = factor(Petal.Width > 1))

test_that("each parameter of the learner reaches the fit", {
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_classif(flowers, target = "Species")
  x <- flowers[task$feature_names]
  settings <- list(
    list(), list(loss = "hinge"), list(lambda = 0.1), list(mixture = 0.5, lambda = 0.02),
    list(intercept = "none"), list(scale = FALSE),
    list(loss = "smooth_hinge", solver = "sdca", intercept = "none",
         control = margin_control(tol = 1e-3))
  )
  values <- vapply(settings, function(setting) {
    learner <- do.call(learner_of, setting)
    set.seed(1)
    learner$train(task)
    set.seed(1)
    if (is.null(setting$loss)) setting$loss <- "logistic"
    direct <- do.call(margin_linear, c(list(x, flowers$Species), setting))
    expect_equal(coef(learner$model), coef(direct))
    expect_identical(certificate(learner$model), certificate(direct))
    expect_identical(learner$model$settings$lambda, direct$settings$lambda)
    expect_identical(learner$predict(task)$response, unname(predict(direct)))
    certificate(learner$model)$value
  }, 0)
  expect_length(unique(values), length(settings))
})

test_that("weights of the task are those of the fit", {
  skip_if_not_installed("mlr3")
  weighted <- transform(iris, importance = rep(1:3, 50))
  task <- mlr3::as_task_classif(weighted, target = "Species")
  task$set_col_roles("importance", roles = "weights_learner")
  fit <- learner_of()$train(task)$model
  direct <- margin_linear(iris[task$feature_names], iris$Species, loss = "logistic",
                          weights = rep(1:3, 50))
  expect_equal(coef(fit), coef(direct))
})

test_that("every family has a learner, for classes and where it can for numbers", {
  skip_if_not_installed("mlr3")
  pair <- droplevels(flowers[51:150, c(1:4, 5)])
  task <- mlr3::as_task_classif(pair, target = "Species")
  x <- pair[task$feature_names]
  makers <- list(linear = margin_linear, kernel = margin_kernel, augmented = margin_augmented,
                 robust = margin_robust, hard = margin_hard)
  given <- list(kernel = list(lambda = 0.1), augmented = list(lambda = 0.1),
                robust = list(radius = 0.2, ridge = 0.1))
  for (family in names(makers)) {
    learner <- do.call(learner_of, c(list(which = paste0("margin_", family)), given[[family]]))
    set.seed(1)
    suppressWarnings(learner$train(task))
    set.seed(1)
    direct <- suppressWarnings(do.call(makers[[family]], c(list(x, pair$Species),
                                                           given[[family]])))
    expect_equal(unname(coef(learner$model)), unname(coef(direct)), info = family)
    expect_identical(learner$predict(task)$response, unname(predict(direct)), info = family)
  }
  cars <- mlr3::as_task_regr(mtcars, target = "mpg")
  rows <- mtcars[cars$feature_names]
  for (family in c("linear", "kernel", "augmented")) {
    learner <- learner_of(lambda = 0.1, which = paste0("regr_margin_", family))
    set.seed(1)
    suppressWarnings(learner$train(cars))
    set.seed(1)
    direct <- suppressWarnings(makers[[family]](rows, mtcars$mpg, loss = "squared", lambda = 0.1))
    expect_equal(learner$predict(cars)$response, unname(predict(direct)), info = family)
  }
})

test_that("a learner calibrates where it is asked to, and takes a joint model", {
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_classif(iris, target = "Species")
  learner <- learner_of(loss = "hinge", calibrate = "platt", predict_type = "prob")
  set.seed(1)
  prob <- learner$train(task)$predict(task)$prob
  expect_equal(unname(rowSums(prob)), rep(1, 150))
  softmax <- learner_of(multiclass = "softmax", lambda = 0.01, predict_type = "prob")
  expect_identical(softmax$train(task)$model$multiclass, "softmax")
})

test_that("probabilities carry the levels, and a hinge has none", {
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_classif(iris, target = "Species")
  learner <- learner_of(lambda = 0.01, predict_type = "prob")
  prob <- learner$train(task)$predict(task)$prob
  expect_equal(unname(prob[, levels(iris$Species)]),
               unname(predict(learner$model, type = "prob")))
  hinge <- learner_of(loss = "hinge", predict_type = "prob")$train(task)
  expect_error(hinge$predict(task), "estimates no probability")
})

test_that("resampling by mlr3 and by margin_cv() on the same folds gives the same accuracies", {
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_classif(iris, target = "Species")
  folds <- margin_folds(iris$Species, folds = 3, seed = 1)[, 1L]
  splits <- mlr3::rsmp("custom_cv")
  splits$instantiate(task, f = factor(folds))
  capture.output(
    result <- mlr3::resample(task, learner_of(lambda = 0.01), splits, store_models = TRUE)
  )
  theirs <- result$score(mlr3::msr("classif.acc"))$classif.acc
  ours <- margin_cv(Species ~ ., iris, loss = "logistic", grid = list(lambda = 0.01),
                    folds = folds, metric = "accuracy")
  expect_equal(theirs, ours$results$score)
  expect_true(all(vapply(result$learners, function(l) certificate(l$model)$certified, NA)))
})
