#' Comparison of models on the same folds
#'
#' @description
#' Compares models, of this package and of others, by cross-validation on the same folds; tests say
#' which differences could be chance.
#' ```r
#' specs <- list(ours = spec_margin("kernel", loss = "hinge"), theirs = spec_peer("e1071"))
#' margin_compare(type ~ ., data = train, specs, folds = 5, repeats = 2)
#' ```
#' Every score stands beside the distance of its model from its own optimum, as far as that is
#' known: where a solver stopped early, you compare optimisers as much as models.
#'
#' @details
#' This compares *models* by what they predict. [compare_solvers()] compares *solvers* by how fast
#' they reach the optimum of one and the same problem.
#'
#' @param x,y,formula,data The data, as for [margin_linear()], for all models alike. A data frame or
#'   formula is coded once, on all rows, and `y` decides the task once, as for [margin_linear()]:
#'   numbers that are all -1 or +1, or 0 or 1, are classes, unless all losses that are named in
#'   `specs` are those of a regression. The models get a factor, or numbers.
#' @param specs A list of models: [spec_margin()], [spec_peer()],
#'   [model_spec()]. A name in the list replaces the model's own.
#' @param folds,repeats,metric,weights,subset,na.action,contrasts,sparse As for [margin_cv()]; the
#'   same `seed` gives the same folds there. A model whose `fit_fun` takes no weights is an error
#'   with `weights`. A model that gives no probabilities (or no decision values) has `NA` for a
#'   metric that needs them; where no model has them this is an error.
#' @param rope Half the width of the region of practical equivalence, in units of the first metric:
#'   a difference of mean scores that is too small to matter. `NULL`: 0.01, one point, of accuracy,
#'   balanced accuracy and area under the curve, which are shares; of every other metric, whose
#'   units are its own or those of the response, one percent of the best mean score of a model. So
#'   it does not depend on the unit of the response; where the best model is near to perfect it is
#'   near to 0.
#' @param scale Divide every column by its standard deviation (population formula, weighted) in the
#'   rows trained on, for all models alike? They are not centred by it; a model of
#'   [margin_kernel()] or [margin_augmented()] centres them where its own `center` says so.
#' @param seed A whole number that leaves R's stream of random numbers untouched, or `NULL`: drawn
#'   from that stream, so [set.seed()] makes the result reproducible. It determines
#'   the folds and every fit.
#' @param ... Not used; an unknown argument is an error.
#' @return A list of class `"model_comparison"`:
#'   * `results`: a data frame with a row per model, repetition and fold: `model`, `repetition`,
#'     `fold`, `score` (of the first metric), a column for each further metric, `n_train`, `n_test`,
#'     `relative_gap` and `certified` (`NA` where the model has no objective or nobody knows its
#'     optimum), `excess`, how far its objective is proven to be above its optimum at least, relative
#'     to that ([margin_audit()]; 0 for the models of this package), `why` that is not known, and
#'     `seconds` (elapsed, of the fit);
#'   * `predictions`: a data frame with a row per model, repetition and row held out: `model`,
#'     `repetition`, `fold`, `row` (its number in the data), `truth`, `class` and `score` (two
#'     levels only), for more levels `score_` and the level, its probability or else its decision
#'     value (`NA` where a model has neither), in a regression `response`;
#'   * `metrics`, `rope`, `folds` (as in [margin_cv()]), `task`, `levels`, `nobs`, `weighted`,
#'     `call`.
#'
#'   See [summary()][summary.model_comparison] for the tests and
#'   [plot()][plot.model_comparison] for the plots.
#' @section In parallel:
#' As for [margin_cv()]: by the user's [future::plan()], with the same result wherever it runs but
#' for `seconds`.
#' @section Errors and warnings:
#' Wrong arguments are errors of class `dualmargin_input_error`. An error inside a model keeps its
#' class, gets the class `dualmargin_model_error` in front (and `dualmargin_error`, where it lacks
#' that), and its message says which model and fold it was. Fits that are not certified are counted
#' in one warning of class `dualmargin_not_certified`.
#' @references
#' Benavoli A, Corani G, Demsar J, Zaffalon M (2017). Time for a change: a tutorial for comparing
#' multiple classifiers through Bayesian analysis. *Journal of Machine Learning Research* 18(77),
#' 1-36.
#' @seealso [model_spec()], [friedman_nemenyi()] for several data sets, [margin_cv()] to tune a
#'   model before.
#' @examples
#' # rows to compare on; the others test the model that is chosen
#' rows <- seq(1, nrow(spambase), by = 20)
#' some <- spambase[rows, ]
#' specs <- list(
#'   hinge = spec_margin("linear", loss = "hinge", cost = 1),
#'   logistic = spec_margin("linear", loss = "logistic", lambda = 0.01)
#' )
#' comparison <- margin_compare(type ~ ., data = some, specs, folds = 5, repeats = 2, seed = 1)
#' comparison
#' plot(comparison)
#'
#' chosen <- margin_linear(type ~ ., data = some, loss = "logistic", lambda = 0.01)
#' mean(predict(chosen, spambase[-rows, ]) == spambase$type[-rows])
#' @usage NULL
#' @export
margin_compare <- function(x, ...) {
  if (missing(x) && !"formula" %in% ...names()) {
    abort_input("`x` is missing; give a matrix, a data frame or a formula first.", "x")
  }
  UseMethod("margin_compare", leading_argument(x, ...))
}

#' @rdname margin_compare
#' @export
margin_compare.matrix <- function(x, y, specs, folds = 10, repeats = NULL, metric = NULL,
                                  rope = NULL, seed = NULL, weights = NULL, scale = TRUE, ...) {
  call <- public_call(match.call(), quote(margin_compare))
  assert_nothing_left(list(...), names(formals(margin_compare.matrix)),
                      if (!is_task_design(x)) formula_arguments, "margin_compare()")
  if (missing(specs)) {
    abort_input("`specs` is missing; give a list of two or more models, as of spec_margin().",
                "specs")
  }
  assert_response_given(missing(y))
  task <- design_task(x, y, weights, NULL, comparison_loss(specs), NULL, call)
  if (!task$intercept) {
    abort_input(paste(
      "`formula` removes the intercept, which here is the models' affair; say intercept = \"none\"",
      "in spec_margin()."
    ), "formula")
  }
  make_comparison(specs, task, folds, repeats, metric, rope, seed, scale, task$call)
}

#' @rdname margin_compare
#' @usage NULL
#' @export
margin_compare.Matrix <- margin_compare.matrix

#' @rdname margin_compare
#' @usage NULL
#' @export
margin_compare.data.frame <- margin_compare.matrix

#' @rdname margin_compare
#' @usage \special{margin_compare(formula, data, specs, \dots, weights, subset,
#'   na.action, contrasts, sparse)}
#' @export
margin_compare.formula <- function(formula, data, ..., weights, subset, na.action, contrasts = NULL,
                                   sparse = FALSE) {
  margin_compare.matrix(task_design("margin_compare", margin_compare.matrix, match.call(),
                                    parent.frame(), data, contrasts, sparse), NULL, ...)
}

#' @export
margin_compare.default <- function(x, ...) margin_linear.default(x)

# Numbers are those of a regression if all losses that the models name are.
comparison_loss <- function(specs) {
  if (!is.list(specs) || inherits(specs, "margin_spec")) {
    return(NULL) # told of by as_specs()
  }
  named <- Filter(Negate(is.null), lapply(specs, function(spec) if (is.list(spec)) spec$loss))
  of_regression <- vapply(named, takes_numbers, NA)
  if (length(named) > 0L && all(of_regression)) named[[1L]]
}

make_comparison <- function(specs, task, folds, repeats, metric, rope, seed, scale, call) {
  specs <- as_specs(specs)
  assert_rope(rope)
  assert_flag(scale, "scale")
  assert_seed(seed)
  assert_specs_weights(specs, task)
  metrics <- comparison_metrics(metric, task, specs)
  colnames(task$x) <- feature_names(colnames(task$x), ncol(task$x))
  with_seed(seed, {
    resamples <- as_resamples(folds, repeats, strata_of(task), NULL, task$rows, task$given)
    assert_resamples(resamples, if (is.factor(task$response)) task$response)
    assert_count(as.double(length(specs)) * length(resamples), most_fits, "repeats", "fits")
    jobs <- crossed_jobs(resamples, seq_along(specs), "model")
    told <- progress_teller(length(jobs), interactive())
    answers <- each_job(jobs, run_model, task = without_design(task), specs = specs,
                        metrics = metrics, scale = scale, told = told)
  })
  if (is.null(metric)) metrics <- metrics[default_of_comparison(task, metrics, answers)] else
    assert_judged(metrics, answers)
  signal_comparison(new_model_comparison(answers, specs, metrics, rope, resamples, task, call))
}

# The metrics that each fit is judged by. Which models give probabilities is known when they have
# predicted, so without `metric` classes are judged by both that it may be.
comparison_metrics <- function(metric, task, specs) {
  losses <- lapply(specs, function(spec) spec$loss)
  named <- Filter(Negate(is.null), losses)
  if (is.null(metric)) {
    metric <- if (task$task == "classification") c("log_loss", "accuracy") else
      default_metric(task$task, losses, FALSE)
  }
  unscaled <- any(vapply(specs, function(spec) isFALSE(spec$response_scale), NA))
  as_metrics(metric, task$task, losses = named,
             unit = task_unit(task, named, list(response_scale = !unscaled)))
}

default_of_comparison <- function(task, metrics, answers) {
  if (task$task == "regression") {
    return(names(metrics))
  }
  default_metric(task$task, list(), all(vapply(answers, function(answer) answer$has[["prob"]], NA)))
}

# One model without what a metric needs has NA there, and is named; where none has it, nothing is
# compared.
assert_judged <- function(metrics, answers) {
  models <- vapply(answers, function(answer) answer$result$model[1L], "")
  for (metric in metrics) {
    has <- vapply(answers, function(answer) answer$has[metric$needs], NA)
    without <- unique(models[!has %in% c(TRUE, NA)])
    needed <- c(score = "decision values", prob = "probabilities")[metric$needs]
    if (length(without) == length(unique(models))) {
      abort_input(sprintf(paste(
        "`metric` is \"%s\", which needs %s, and none of the models has them; use another metric,",
        "or a model with a logistic loss."
      ), metric$name, needed), "metric")
    }
    if (length(without)) {
      inform(sprintf("The %s of %s is NA: it needs %s, which %s.", metric$name,
                     paste0("\"", without, "\"", collapse = ", "), needed,
                     if (length(without) == 1L) "this model has not" else "these models have not"))
    }
  }
}

as_specs <- function(specs) {
  if (inherits(specs, "margin_spec") || !is.list(specs)) {
    abort_input(sprintf("`specs` is %s, but must be a list of two or more, as of spec_margin().",
                        show_value(specs)), "specs")
  }
  if (length(specs) < 2L) {
    abort_input(sprintf("`specs` has %s; a comparison needs two.", count(length(specs), "model")),
                "specs")
  }
  given <- names(specs)
  for (i in seq_along(specs)) {
    if (!inherits(specs[[i]], "margin_spec")) {
      abort_input(sprintf("`specs` holds %s at position %d; make it by model_spec().",
                          show_value(specs[[i]]), i), "specs")
    }
    if (!is.null(given) && nzchar(given[i])) specs[[i]]$name <- given[i]
  }
  names(specs) <- vapply(specs, function(spec) spec$name, "")
  if (anyDuplicated(names(specs))) {
    abort_input(sprintf("`specs` has two models called \"%s\"; name them apart in the list.",
                        names(specs)[anyDuplicated(names(specs))]), "specs")
  }
  specs
}

assert_specs_weights <- function(specs, task) {
  if (is.null(task$weights)) {
    return(invisible())
  }
  for (spec in specs) {
    if (!any(c("weights", "...") %in% names(formals(args(spec$fit_fun))))) {
      abort_input(sprintf(
        "`weights` are given, but model \"%s\" takes none; leave one of the two out.", spec$name
      ), "weights")
    }
  }
}

# The fits of a comparison: one job is one model on one resample.

run_model <- function(job, task, specs, metrics, scale, told) {
  spec <- specs[[job$model]]
  resample <- job$resample
  by <- if (scale) column_spread(task, resample$train) else rep(1, ncol(task$x))
  columns <- function(rows) scale_columns(rows_of(task, rows), by)
  train <- columns(resample$train)
  y <- task$response[resample$train]
  weights <- if (!is.null(task$weights)) weights_of(task, resample$train)
  answer <- {
    start <- proc.time()[["elapsed"]]
    model <- in_model(do.call(spec$fit_fun, c(list(train, y), list(weights = weights)[
      !is.null(weights)]), quote = TRUE), spec, resample, "be fitted")
    seconds <- proc.time()[["elapsed"]] - start
    list(seconds = seconds,
         prediction = in_model(
           read_prediction(spec$predict_fun(model, columns(resample$test), task$levels),
                           length(resample$test), task$levels), spec, resample, "predict"
         ),
         gap = in_model(measured_gap(spec, model, train, y, weights), spec, resample,
                        "be measured"))
  }
  truth <- task$response[resample$test]
  weights <- weights_of(task, resample$test)
  values <- in_model(
    judge(metrics, truth, function(needs) answer$prediction[[needs]], weights), spec, resample,
    "be judged"
  )
  at <- data.frame(model = spec$name, repetition = resample$repetition, fold = resample$fold)
  told()
  list(values = values,
       result = cbind(at, as.list(values), n_train = counted_of(task, resample$train),
                      n_test = sum(weights > 0), answer$gap, seconds = answer$seconds),
       prediction = cbind(at, row = task$rows[resample$test], truth = truth,
                          predicted_columns(answer$prediction, task$levels))[weights > 0, ],
       has = c(score = !is.null(answer$prediction$score), prob = !is.null(answer$prediction$prob)))
}

# An error of a model, told with where it happened; its class stays.
in_model <- function(expression, spec, resample, what) {
  tryCatch(expression, error = function(condition) {
    condition$message <- sprintf("Model \"%s\" cannot %s in fold %d of repetition %d: %s",
                                 spec$name, what, resample$fold, resample$repetition,
                                 conditionMessage(condition))
    condition["call"] <- list(NULL)
    class(condition) <- c("dualmargin_model_error",
                          setdiff("dualmargin_error", class(condition)), class(condition))
    stop(condition)
  })
}

measured_gap <- function(spec, model, x, y, weights) {
  gap <- if (is.null(spec$gap_fun)) audited_gap(model, x, y) else
    spec$gap_fun(model, x, y, weights)
  if (is.null(gap)) gap <- unknown_gap("its `gap_fun` does not know")
  one <- function(value, is) length(value) == 1L && (is(value) || is.na(value))
  if (!is.list(gap) || !one(gap$relative_gap, is.numeric) || !one(gap$certified, is.logical)) {
    abort_input(sprintf(paste(
      "`gap_fun` returned %s, but must return a list of a number `relative_gap` and TRUE, FALSE or",
      "NA as `certified`."
    ), show_value(gap)), "gap_fun")
  }
  said <- function(value, other) if (is.null(value)) other else value
  why <- said(gap$why, if (is.null(gap$excess)) "its `gap_fun` does not say")
  data.frame(relative_gap = as.double(gap$relative_gap), certified = as.logical(gap$certified),
             excess = as.double(said(gap$excess, NA)), why = said(why, NA_character_))
}

predicted_columns <- function(prediction, levels) {
  if (!is.null(prediction$response)) {
    return(data.frame(response = prediction$response))
  }
  score <- prediction$score
  columns <- data.frame(class = prediction$class,
                        score = if (is.null(score) || is.matrix(score)) NA_real_ else score)
  if (length(levels) > 2L) {
    of_levels <- if (is.null(prediction$prob)) score else prediction$prob
    if (is.null(of_levels)) of_levels <- matrix(NA_real_, nrow(columns), length(levels))
    columns[score_columns(levels)] <- as.data.frame(unname(of_levels))
  }
  columns
}

score_columns <- function(levels) paste0("score_", levels)

# ---- One scaling for all models ----

# Standard deviation of each column in some rows, weighted; 1 where it is constant.
column_spread <- function(task, rows) {
  frame <- column_frame(task$x[rows, , drop = FALSE], weights_of(task, rows))
  ifelse(frame$sd > 1e-10 * abs(frame$mean), frame$sd, 1)
}

# ---- The result ----

new_model_comparison <- function(answers, specs, metrics, rope, resamples, task, call) {
  part <- function(name) {
    table <- do.call(rbind, lapply(answers, `[[`, name))
    table$model <- factor(table$model, levels = names(specs))
    without_row_names(table[order(table$model, table$repetition, table$fold), ])
  }
  results <- part("result")
  others <- setdiff(names(answers[[1L]]$values), names(metrics))
  results <- results[setdiff(names(results), others)]
  names(results)[names(results) == names(metrics)[1L]] <- "score"
  rope <- rope_of(list(results = results, metrics = metrics, rope = rope), metrics[[1L]])
  new_object(list(
    results = results, predictions = part("prediction"), metrics = metrics, rope = rope,
    folds = tested_rows(resamples, task),
    task = task$task, levels = task$levels, nobs = number_of_rows(task),
    weighted = !is.null(task$weights), taken = task$design$taken, call = compact_call(call)
  ), "model_comparison")
}

signal_comparison <- function(comparison) {
  signal_fits(
    comparison$results, "fits", function(worst) sprintf("model \"%s\"", worst$model),
    paste("The comparison is one of optimisers as much as of models; give that model more",
          "iterations or a smaller tolerance.")
  )
  comparison
}

# What a model answers for new rows: read once, checked, and brought to one form.

# raw: what predict_fun returned for n rows -> list(class, score, prob), parts that cannot be had
# being NULL; in a regression list(response).
read_prediction <- function(raw, n, levels) {
  if (is.null(raw)) {
    abort_input("`predict_fun` returned NULL; it must return its predictions.", "predict_fun")
  }
  if (is.null(levels)) {
    return(list(response = numbers_predicted(raw, n)))
  }
  parts <- if (is.factor(raw) || is.character(raw)) {
    list(class = raw)
  } else if (is.list(raw) && !is.data.frame(raw)) {
    raw
  } else {
    list(score = raw)
  }
  stray <- setdiff(names(parts), c("class", "score", "prob"))
  if (length(parts) == 0L || is.null(names(parts)) || length(stray) > 0L) {
    abort_input(sprintf(paste(
      "`predict_fun` returned a list of %s, but must return class, score or prob, or a list of",
      "these."
    ), if (length(stray) > 0L) quote_list(stray) else "parts without names"), "predict_fun")
  }
  prob <- if (!is.null(parts$prob)) probabilities_predicted(parts$prob, n, levels)
  score <- if (!is.null(parts$score)) scores_predicted(parts$score, n, levels) else
    if (!is.null(prob)) score_of_prob(prob)
  class <- if (!is.null(parts$class)) classes_predicted(parts$class, n, levels) else
    factor(levels[class_of_scores(score)], levels = levels)
  list(class = class, score = score, prob = prob)
}

score_of_prob <- function(prob) if (ncol(prob) == 2L) prob[, 2L] - prob[, 1L] else prob

numbers_predicted <- function(raw, n) {
  if (!is.numeric(raw) || is.object(raw) || NCOL(raw) != 1L) {
    abort_input(sprintf("`predict_fun` returned %s, but in a regression must return numbers.",
                        show_value(raw)), "predict_fun")
  }
  assert_rows_predicted(length(raw), n)
  assert_numbers_predicted(raw, "prediction")
  as.vector(raw)
}

classes_predicted <- function(class, n, levels) {
  assert_rows_predicted(length(class), n)
  if (anyNA(class)) {
    abort_input(sprintf("`predict_fun` returned no class for row %d.", which(is.na(class))[1L]),
                "predict_fun")
  }
  unknown <- setdiff(as.character(class), levels)
  if (length(unknown) > 0L) {
    abort_input(sprintf("`predict_fun` returned the class \"%s\"; the levels are %s.", unknown[1L],
                        quote_list(levels)), "predict_fun")
  }
  factor(as.character(class), levels = levels)
}

scores_predicted <- function(score, n, levels) {
  if (!is.numeric(score) || is.object(score)) {
    abort_input(sprintf("`predict_fun` returned %s for decision values, but must return numbers.",
                        show_value(score)), "predict_fun")
  }
  assert_rows_predicted(NROW(score), n)
  assert_numbers_predicted(score, "score")
  if (length(levels) == 2L) {
    if (NCOL(score) != 1L) {
      abort_input(sprintf(paste(
        "`predict_fun` returned %d columns of decision values, but for two levels must return one",
        "a row, that of the second."
      ), NCOL(score)), "predict_fun")
    }
    return(as.vector(score))
  }
  columns_of_levels(score, levels, "decision values")
}

probabilities_predicted <- function(prob, n, levels) {
  prob <- as.matrix(prob)
  assert_rows_predicted(nrow(prob), n)
  prob <- columns_of_levels(prob, levels, "probabilities")
  assert_numbers_predicted(prob, "probability")
  if (any(prob < 0) || any(abs(rowSums(prob) - 1) > 1e-6)) {
    abort_input("`predict_fun` returned probabilities below 0, or rows that do not sum to one.",
                "predict_fun")
  }
  prob
}

# In the order of the levels, by name where there are names.
columns_of_levels <- function(values, levels, what) {
  if (!is.matrix(values) || ncol(values) != length(levels)) {
    abort_input(sprintf("`predict_fun` returned %s of %s, but must return one for each of %s.",
                        count(NCOL(values), "column"), what, count(length(levels), "level")),
                "predict_fun")
  }
  if (!is.null(colnames(values))) {
    if (!setequal(colnames(values), levels)) {
      abort_input(sprintf("`predict_fun` named the columns of %s %s; the levels are %s.", what,
                          quote_list(colnames(values)), quote_list(levels)), "predict_fun")
    }
    values <- values[, levels, drop = FALSE]
  }
  matrix(as.double(values), nrow(values), dimnames = list(NULL, levels))
}

assert_rows_predicted <- function(given, n) {
  if (given != n) {
    abort_input(sprintf("`predict_fun` returned predictions for %s, but was asked for %d.",
                        count(given, "row"), n), "predict_fun")
  }
}

assert_numbers_predicted <- function(values, what) {
  if (!all(is.finite(values))) {
    abort_input(sprintf("`predict_fun` returned the %s %s; it must be a finite number.", what,
                        format(values[!is.finite(values)][1L])), "predict_fun")
  }
}
