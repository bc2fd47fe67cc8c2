# Results of cross-validation and of comparisons that may have been read from a file: as
# validate_fit.R for fits.

# Columns of numbers, NA allowed, and of whole numbers that name something.
has_numbers <- function(table, columns) {
  all(vapply(columns, function(name) is.numeric(table[[name]]), NA))
}
has_places <- function(table, columns) {
  all(vapply(columns, function(name) is.numeric(table[[name]]) && !anyNA(table[[name]]), NA))
}

# What cross-validation and comparison have in common.
check_resampled <- function(object, of, fail) {
  results <- object$results
  made <- object$metrics
  if (!is.list(made) || length(made) == 0L || !is_text(names(made)) ||
        !all(vapply(made, function(one) inherits(one, "margin_metric"), NA)) ||
        !error_free(lapply(made, checked_metric))) {
    fail("its `metrics` are missing or wrong")
  }
  others <- names(made)[-1L]
  numbers <- c("score", others, "n_train", "n_test", "relative_gap", "seconds")
  if (!is_table(results, c(of, "repetition", "fold", numbers, "certified")) ||
        nrow(results) == 0L || !has_places(results, c("repetition", "fold", "n_train", "n_test")) ||
        !has_numbers(results, numbers) || !is.logical(results$certified)) {
    fail("its `results` are missing or have lost rows or columns")
  }
  tell_first(list(
    folds = is.list(object$folds) && length(object$folds) > 0L && all(vapply(
      object$folds, function(one) is.list(one) && is.numeric(one$test), NA
    )),
    task = is_one_text(object$task) &&
      object$task %in% c("classification", "regression", "one_class"),
    levels = if (identical(object$task, "regression")) is.null(object$levels) else
      is_text(object$levels),
    nobs = is_number(object$nobs), call = is.call(object$call)
  ), fail)
}

assert_cv <- function(object, arg = "object") {
  opened <- opened_result(object, arg, "margin_cv", "margin_cv()")
  fail <- opened$fail
  object <- opened$parts
  check_resampled(object, "setting", fail)
  settings <- object$settings
  setting <- object$results$setting
  if (!is_one_text(object$family) || !object$family %in% names(families())) {
    fail("its `family` is missing or wrong")
  }
  tell_first(list(
    settings = is_table(settings, character()) && nrow(settings) > 0L &&
      all(vapply(settings, is.vector, NA) | vapply(settings, inherits, NA, "AsIs")),
    scale = is_null_or(object$scale, function(scale) is.logical(scale) && length(scale) == 1L),
    fit = is_null_or(object$fit, function(fit) inherits(fit, "margin_fit")),
    problem = is_null_or(object$problem, is_search_problem),
    "results$setting" = is.numeric(setting) && setequal(setting, seq_len(NROW(settings)))
  ), fail)
  invisible()
}

is_search_problem <- function(problem) {
  is.list(problem) && is.list(problem$arguments) && is.list(problem$marks) &&
    is_number(problem$seed)
}

assert_model_comparison <- function(object, arg = "object") {
  opened <- opened_result(object, arg, "model_comparison", "margin_compare()")
  fail <- opened$fail
  object <- opened$parts
  check_resampled(object, "model", fail)
  models <- levels(object$results$model)
  predictions <- object$predictions
  answer <- if (object$task == "regression") "response" else c("class", "score")
  is_model <- function(value) {
    is.factor(value) && !anyNA(value) && identical(levels(value), models)
  }
  tell_first(list(
    "results$model" = is_model(object$results$model) && length(models) > 1L &&
      all(table(object$results$model) == table(object$results$model)[[1L]]),
    predictions = is_table(predictions, c("model", "repetition", "fold", "row", "truth", answer)) &&
      nrow(predictions) > 0L && is_model(predictions$model) &&
      has_places(predictions, c("repetition", "fold", "row")) &&
      (if (object$task == "regression") has_places(predictions, c("truth", "response")) else
        identical(levels(predictions$truth), object$levels) &&
          identical(levels(predictions$class), object$levels) && is.numeric(predictions$score)),
    rope = is_number(object$rope) && object$rope >= 0, weighted = is_flag(object$weighted)
  ), fail)
  invisible()
}

assert_solver_comparison <- function(object, arg = "object") {
  opened <- opened_result(object, arg, "margin_comparison", "compare_solvers()")
  fail <- opened$fail
  object <- opened$parts
  if (!is.list(object$fits) || length(object$fits) == 0L || !is_text(names(object$fits))) {
    fail("its `fits` are missing or wrong")
  }
  if (!is_null_or(object$refused, is_text)) fail("its `refused` holds no reasons")
  if ("call" %in% names(object) && !is.call(object$call)) fail("its `call` is none")
  for (fit in object$fits) {
    tryCatch(assert_fit(fit, "fits"), dualmargin_input_error = function(condition) {
      fail(conditionMessage(condition))
    })
  }
  trace <- object$trace
  numbers <- c("epoch", "seconds", "value", "bound", "gap", "relative_gap", "suboptimality")
  if (!is_table(trace, c("solver", "class", numbers)) || nrow(trace) == 0L ||
        !has_places(trace, numbers) || !all(trace$solver %in% names(object$fits))) {
    fail("its `trace` is missing or has lost columns")
  }
  invisible()
}
