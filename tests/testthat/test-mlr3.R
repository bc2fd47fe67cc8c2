# The learners that package mlr3 finds by lrn(): each fits what the family's function does.

learner_of <- function(key, ...) {
  asNamespace("lgr")$get_logger("mlr3")$set_threshold("warn")
  mlr3::lrn(key, ...)
}
linear <- function(...) learner_of("classif.margin_linear", ...)
task_of <- function(data, ...) mlr3::as_task_classif(data, ...)

flowers <- transform(iris, Big = factor(Petal.Width > 1))
keys <- function(kind, families) paste0(kind, ".margin_", families)

test_that("every labelled family has learners, and every argument is a parameter", {
  skip_if_not_installed("mlr3")
  expect_setequal(grep("margin_", mlr3::mlr_learners$keys(), value = TRUE), c(
    keys("classif", c("linear", "kernel", "augmented", "robust", "hard")),
    keys("regr", c("linear", "kernel", "augmented"))
  ))
  for (key in grep("margin_", mlr3::mlr_learners$keys(), value = TRUE)) {
    learner <- learner_of(key)
    family <- sub(".*margin_", "", key)
    arguments <- setdiff(names(formals(utils::getS3method(
      paste0("margin_", family), "matrix", envir = asNamespace("dualmargin")
    ))), c("x", "y", "weights", "offset", "..."))
    regression <- startsWith(key, "regr")
    if (regression) arguments <- setdiff(arguments, c("class_weights", "multiclass", "mixup"))
    expect_setequal(learner$param_set$ids(), c(
      arguments, if (!regression) "calibrate", if ("kernel" %in% arguments) "sigma",
      if ("perturbation" %in% arguments) "rate"
    ))
    expect_true("weights" %in% learner$properties, info = key)
  }
})

test_that("every learner fits what its function does, of two classes towards the positive one", {
  skip_if_not_installed("mlr3")
  pair <- droplevels(flowers[51:150, 1:5])
  x <- pair[sort(names(pair)[1:4])]
  makers <- list(linear = margin_linear, kernel = margin_kernel, augmented = margin_augmented,
                 robust = margin_robust, hard = margin_hard)
  given <- list(kernel = list(lambda = 0.1), augmented = list(lambda = 0.1),
                robust = list(radius = 0.2, ridge = 0.1))
  for (positive in levels(pair$Species)) {
    task <- task_of(pair, target = "Species", positive = positive)
    y <- factor(pair$Species, c(setdiff(levels(pair$Species), positive), positive))
    for (family in if (positive == "virginica") names(makers) else "linear") {
      learner <- do.call(learner_of, c(list(keys("classif", family)), given[[family]]))
      set.seed(1)
      suppressWarnings(learner$train(task))
      set.seed(1)
      direct <- suppressWarnings(do.call(makers[[family]], c(list(x, y), given[[family]])))
      expect_equal(unname(coef(learner$model)), unname(coef(direct)), info = family)
      expect_identical(as.character(learner$predict(task)$response),
                       as.character(predict(direct)), info = family)
    }
  }
  cars <- mlr3::as_task_regr(mtcars, target = "mpg")
  rows <- mtcars[cars$feature_names]
  for (family in c("linear", "kernel", "augmented")) {
    learner <- learner_of(keys("regr", family), lambda = 0.1)
    set.seed(1)
    suppressWarnings(learner$train(cars))
    set.seed(1)
    direct <- suppressWarnings(makers[[family]](rows, mtcars$mpg, loss = "squared", lambda = 0.1))
    expect_equal(learner$predict(cars)$response, unname(predict(direct)), info = family)
  }
  # the numbers that make a kernel or a perturbation
  narrow <- learner_of("regr.margin_kernel", sigma = 2, lambda = 0.1)$train(cars)$model
  expect_identical(narrow$settings$kernel$sigma, 2)
  dropped <- learner_of("regr.margin_augmented", rate = 0.3, perturbation = perturb_dropout)
  expect_identical(suppressWarnings(dropped$train(cars))$model$settings$perturbation,
                   perturb_dropout(0.3))
  wrong <- learner_of("regr.margin_kernel", sigma = 2, kernel = "rbf")
  expect_input_error(wrong$train(cars), "kernel", "among the parameters")
})

test_that("weights and offsets of the task are those of the fit", {
  skip_if_not_installed("mlr3")
  weighted <- transform(iris, importance = rep(1:3, 50))
  task <- task_of(weighted, target = "Species")
  task$set_col_roles("importance", roles = "weights_learner")
  direct <- margin_linear(iris[task$feature_names], iris$Species, weights = rep(1:3, 50))
  expect_equal(coef(linear()$train(task)$model), coef(direct))
  skip_if_not("offset" %in% mlr3::mlr_reflections$learner_properties$classif)
  pair <- transform(droplevels(iris[51:150, ]), o = sin(1:100))
  task <- task_of(pair, target = "Species", positive = "virginica")
  task$set_col_roles("o", roles = "offset")
  learner <- linear(lambda = 0.1)$train(task)
  x <- pair[task$feature_names]
  direct <- margin_linear(x, pair$Species, lambda = 0.1, offset = pair$o)
  expect_equal(coef(learner$model), coef(direct))
  expect_identical(as.character(learner$predict(task)$response),
                   as.character(predict(direct, x, newoffset = pair$o)))
  of_classes <- paste0("offset_", levels(iris$Species))
  several <- task_of(data.frame(iris, as.list(setNames(1:3, of_classes))), target = "Species")
  several$set_col_roles(of_classes, roles = "offset")
  expect_input_error(linear()$train(several), "task", "3 columns of role \"offset\"")
})

test_that("a learner is calibrated where it is asked for probabilities, or told to", {
  skip_if_not_installed("mlr3")
  task <- task_of(iris, target = "Species")
  x <- iris[task$feature_names]
  set.seed(1)
  direct <- margin_linear(x, iris$Species, loss = "hinge")
  calibrated <- margin_calibrate(direct, x, iris$Species, method = "platt")
  for (learner in list(linear(loss = "hinge", predict_type = "prob"),
                       linear(loss = "hinge", predict_type = "prob", calibrate = "platt"))) {
    set.seed(1)
    answer <- learner$train(task)$predict(task)
    expect_equal(answer$prob, predict(calibrated, x, type = "prob"), ignore_attr = TRUE)
    expect_identical(answer$response, unname(predict(direct, x)))
  }
  expect_null(linear(loss = "hinge")$train(task)$model$calibration)
  expect_null(linear(predict_type = "prob")$train(task)$model$calibration)
  expect_identical(
    linear(loss = "hinge", calibrate = "isotonic")$train(task)$model$calibration$method, "isotonic"
  )
  none <- linear(loss = "hinge", predict_type = "prob", calibrate = "none")$train(task)
  expect_error(none$predict(task), "estimates no probability")
})

test_that("probabilities stand under their levels, those without rows too", {
  skip_if_not_installed("mlr3")
  task <- task_of(iris, target = "Species")
  learner <- linear(lambda = 0.01, predict_type = "prob")
  prob <- learner$train(task)$predict(task)$prob
  expect_equal(unname(prob[, levels(iris$Species)]),
               unname(predict(learner$model, type = "prob")))
  prob <- suppressMessages(learner$train(task, row_ids = 1:100))$predict(task)$prob
  expect_identical(unname(prob[, "virginica"]), numeric(150))
  expect_equal(unname(rowSums(prob)), rep(1, 150))
  # of two levels, whichever is positive
  for (positive in levels(spambase$type)) {
    some <- spambase[seq(1, 4601, by = 30), c(1:10, 58)]
    two <- task_of(some, target = "type", positive = positive)
    learner <- linear(lambda = 0.01, predict_type = "prob")
    direct <- margin_linear(type ~ ., some, lambda = 0.01)
    expect_equal(learner$train(two)$predict(two)$prob[, "spam"],
                 unname(predict(direct, type = "prob")[, "spam"]), tolerance = 1e-3)
  }
})

test_that("quantiles are one fit of all levels", {
  skip_if_not_installed("mlr3")
  cars <- mlr3::as_task_regr(mtcars, target = "mpg")
  levels <- c(0.1, 0.5, 0.9)
  learner <- learner_of("regr.margin_linear", lambda = 0.1, predict_type = "quantiles",
                        quantiles = levels, quantile_response = 0.5)
  answer <- suppressMessages(learner$train(cars)$predict(cars))
  direct <- margin_linear(mtcars[cars$feature_names], mtcars$mpg, lambda = 0.1,
                          loss = loss_quantile(tau = levels))
  expected <- suppressMessages(predict(direct, mtcars))
  expect_equal(unname(answer$quantiles), unname(expected), ignore_attr = TRUE)
  expect_equal(answer$response, unname(expected[, 2L]))
  learner$param_set$set_values(loss = "huber")
  expect_input_error(learner$train(cars), "loss", "predict_type = \"response\"")
  late <- learner_of("regr.margin_linear")$train(cars)
  late$quantiles <- levels
  late$quantile_response <- 0.5
  late$predict_type <- "quantiles"
  expect_input_error(late$predict(cars), "quantiles", "before it is trained")
})

test_that("importance and selected features are those of variables", {
  skip_if_not_installed("mlr3")
  mixed <- transform(mtcars, cyl = factor(cyl), gear = ordered(gear), vs = vs == 1)
  cars <- mlr3::as_task_regr(mixed, target = "mpg")
  cars$rename("wt", "w t")
  learner <- learner_of("regr.margin_linear", lambda = 0.5, mixture = 1)$train(cars)
  fit <- learner$model
  sizes <- learner$importance()
  expect_setequal(names(sizes), cars$feature_names)
  expect_false(is.unsorted(-sizes))
  by_column <- abs(coef(fit)[-1L]) * fit$scales
  expect_equal(sizes[["cyl"]], sum(by_column[c("cyl6", "cyl8")]))
  expect_equal(sizes[["gear"]], sum(by_column[c("gear.L", "gear.Q")]))
  expect_equal(sum(sizes), sum(by_column))
  expect_setequal(learner$selected_features(), names(sizes)[sizes > 0])
  expect_lt(length(learner$selected_features()), length(sizes))
  expect_input_error(learner_of("regr.margin_linear")$importance(), "learner", "train it first")
  unscaled <- learner_of("regr.margin_linear", scale = FALSE)$train(cars)
  expect_input_error(unscaled$importance(), "data", "scale = FALSE")
})

# mlr3's own tests of a learner: types of features, weights, reordered columns, switched classes,
# importance. Of all families in long runs.
test_that("the learners pass the tests that mlr3 has for learners", {
  skip_if_not_installed("mlr3")
  folder <- system.file("testthat", package = "mlr3")
  theirs <- new.env(parent = asNamespace("mlr3"))
  for (file in c("helper_misc.R", "helper_autotest.R")) {
    if (file.exists(file.path(folder, file))) sys.source(file.path(folder, file), theirs)
  }
  if (is.null(theirs$run_autotest)) {
    return(expect_null(theirs$run_autotest))
  }
  tested <- if (is_extended()) grep("margin_", mlr3::mlr_learners$keys(), value = TRUE) else
    c("classif.margin_linear", "regr.margin_linear")
  for (key in tested) {
    learner <- learner_of(key)
    if (!grepl("robust|hard", key)) learner$param_set$set_values(lambda = 0.1)
    set.seed(2)
    # an offset of several classes is refused; the rest needs a process of its own each
    answer <- suppressMessages(theirs$run_autotest(
      learner, N = 30L, exclude = "offset_multiclass",
      predict_types = rev(learner$predict_types)[1L]
    ))
    expect_true(isTRUE(answer), info = if (is.list(answer)) answer$error)
  }
})

test_that("mlr3 is not loaded by us, and has the learners whichever is loaded first", {
  skip_if_not_installed("mlr3")
  skip_if_not_installed("processx")
  answer <- function(...) {
    code <- c(sprintf(".libPaths(%s)", deparse1(.libPaths())), ...)
    arguments <- c("--no-init-file", "-e", paste(code, collapse = "; "))
    processx::run(file.path(R.home("bin"), "Rscript"), arguments)$stdout
  }
  ours <- "invisible(loadNamespace(\"dualmargin\"))"
  loaded <- "cat(isNamespaceLoaded(\"mlr3\"), \"\")"
  known <- "cat(sum(grepl(\"margin_\", mlr3::mlr_learners$keys())))"
  expect_identical(answer(ours, loaded, known), "FALSE 8")
  expect_identical(answer("invisible(loadNamespace(\"mlr3\"))", ours, known), "8")
})

test_that("quantiles are those that were fitted", {
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_regr(mtcars[c("wt", "hp", "mpg")], target = "mpg")
  learner <- mlr3::lrn("regr.margin_linear", lambda = 0.02, predict_type = "quantiles", quantiles = c(0.2, 0.5, 0.8),
                       quantile_response = 0.5)$train(task)
  learner$quantiles <- c(0.1, 0.5, 0.9)
  expect_input_error(learner$predict(task), "quantiles", "the fit has 0.2, 0.5, 0.8")
  mean <- mlr3::lrn("regr.margin_linear", lambda = 0.02)$train(task)
  expect_identical(margin_audit(mean, task)$verdict, "exact")
  mean$predict_type <- "quantiles"
  mean$quantiles <- 0.95
  expect_input_error(mean$predict(task), "quantiles", "none")
})
