#' Nested cross-validation
#'
#' @description
#' Estimates the error of a whole procedure, the choice of settings included. The best mean score of
#' a cross-validation promises too much: it is that of the setting which did best on these very
#' rows. Here, in each outer fold a cross-validation of the training rows ([margin_cv()], with
#' `inner` folds) chooses a setting, which is fitted to all of them and judged on the rows held out,
#' which had no part in either.
#' ```r
#' margin_nested(type ~ ., data = train, loss = "logistic", grid = list(lambda = 10^-(1:4)))
#' ```
#'
#' @details
#' The score belongs to the procedure and not to one setting: the chosen ones may differ from fold
#' to fold, and `print()` says how much. The model itself comes from [margin_cv()] and [refit()] on
#' all rows.
#'
#' @param x,formula,data,y,family,grid As for [margin_cv()]. With `grid = NULL` each outer fold has
#' the grid that its training rows suggest.
#' @param folds,repeats The outer folds, as for [margin_cv()].
#' @param weights,subset,na.action,contrasts,sparse As for [margin_cv()].
#' @param inner The inner folds: their number, dealt anew among the training rows of each outer
#'   fold; or the fold of every row of the data, a vector, of which each outer fold takes the part
#'   of its training rows. Where `folds` keep groups together ([margin_folds()] with `groups`), give
#'   the same ids as `inner`: then the inner folds do so too.
#' @param rule,metric How the setting is chosen, as for [best_setting()] and [margin_cv()]: by the
#'   first metric. All are reported.
#' @param offset,seed As for [margin_cv()].
#' @param ... Arguments of the family's function, the same for all settings; for `plot()` graphical
#'   parameters, as for [plot.margin_cv()].
#' @return A list of class `"margin_nested"`:
#'   * `results`: a data frame with a row per outer repetition and fold: `repetition`, `fold`,
#'     `setting` (its number in the inner cross-validation), the columns of the setting, `score` (of
#'     the first metric on the rows held out), a column for each further metric, `inner_score` (the
#'     mean score that chose it), `n_train`, `n_test`, `relative_gap`, `certified` and `seconds`;
#'     a fit counts as certified, and the gap and the seconds are those, with its inner fits;
#'   * `inner`: a list of the [margin_cv()] results, one a row of `results`, which keep no fit;
#'   * `metrics`, `folds` (the rows held out), `family`, `rule`, `task`, `levels`, `nobs`, `call`.
#'
#'   `summary()`: a data frame with a row per metric: `mean`, `std.error` (as for [best_setting()]),
#'   `n`, and of the first `inner`, the mean score of the chosen settings, which is the optimistic
#'   one; `tidy()` gives the same. `glance()`: one row: `family`, `rule`, the outer `folds` and
#'   `repeats`, of the first metric what `summary()` has, `nobs`, `certified`, `relative_gap` (the
#'   largest) and `seconds`. `plot()`: for each outer fold the score on the rows held out beside the
#'   inner mean that chose its setting, and the means of both.
#' @section In parallel:
#' The outer folds run by the user's [future::plan()] where package future.apply is installed, as
#' those of [margin_cv()] do.
#' @section Errors and warnings:
#' As for [margin_cv()].
#' @references
#' Varma S, Simon R (2006). Bias in error estimation when using cross-validation for model
#' selection. *BMC Bioinformatics* 7, 91. \doi{10.1186/1471-2105-7-91}.
#'
#' Cawley GC, Talbot NLC (2010). On over-fitting in model selection and subsequent selection bias in
#' performance evaluation. *Journal of Machine Learning Research* 11, 2079-2107.
#' @seealso [margin_cv()], [margin_folds()].
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' nested <- margin_nested(type ~ ., data = some, grid = list(lambda = 10^-(1:3)), folds = 4,
#'                         inner = 3, metric = c("log_loss", "accuracy"), seed = 1)
#' nested
#' summary(nested)
#' plot(nested)
#' @usage NULL
#' @export
margin_nested <- function(x, ...) {
  if (missing(x)) UseMethod("margin_nested", leading_argument(...)) else UseMethod("margin_nested")
}

#' @rdname margin_nested
#' @export
margin_nested.matrix <- function(x, y, family = "linear", grid = NULL, folds = 10, inner = 5,
                                 repeats = NULL, rule = c("best", "one_se"), metric = NULL,
                                 weights = NULL, seed = NULL, offset = NULL, ...) {
  constructed_task(nested_maker(), environment(), match.call(), list(...))
}

#' @rdname margin_nested
#' @usage NULL
#' @export
margin_nested.Matrix <- margin_nested.matrix

#' @rdname margin_nested
#' @usage NULL
#' @export
margin_nested.data.frame <- margin_nested.matrix

#' @rdname margin_nested
#' @usage \special{margin_nested(formula, data, \dots, weights, subset, na.action, contrasts,
#'   sparse)}
#' @export
margin_nested.formula <- formula_method(margin_nested.matrix, function() nested_maker(),
                                         constructed_task)

#' @export
margin_nested.default <- function(x, ...) margin_linear.default(x)

nested_maker <- function() {
  list(
    name = quote(margin_nested),
    plan = function(given, dots, valid, elsewhere) {
      rule <- one_of(given$rule, c("best", "one_se"), "rule", rule_aliases)
      c(cv_plan(dots, given$family, given$grid, valid, elsewhere, "margin_nested()"),
        list(rule = rule))
    },
    loss = plan_loss, classes_only = plan_classes, without = without_intercept,
    takes_offset = TRUE,
    solve = function(task, plan, given, call) {
      fit_nested(task, plan, given$folds, given$inner, given$repeats, plan$rule, given$metric,
                 given$seed, call)
    }
  )
}

fit_nested <- function(task, plan, folds, inner, repeats, rule, metric, seed, call) {
  judged <- judged_plan(task, plan, metric, seed)
  plan <- judged$plan
  metrics <- judged$metrics
  with_seed(resolve_seed(seed), {
    resamples <- judged_resamples(task, folds, repeats, metrics)
    if (!is.null(plan$settings)) assert_grid_of(plan, metrics, resamples)
    inner <- inner_folds(inner, task)
    seeds <- sample.int(.Machine$integer.max, length(resamples))
    jobs <- Map(function(resample, seed) c(resample, seed = seed), resamples, seeds)
    told <- progress_teller(length(jobs), shows_progress(plan$arguments$control))
    answers <- each_job(jobs, run_outer, task = without_design(task), plan = plan,
                        metrics = metrics, rule = rule, inner = inner, told = told)
  })
  signal_nested(new_margin_nested(answers, plan, metrics, resamples, task, rule, call))
}

# A number, or the fold of every row of the task.
inner_folds <- function(inner, task) {
  if (is.numeric(inner) && length(inner) == 1L) {
    assert_number(inner, "inner", lower = 1, whole = TRUE, remedy = "the default is 5")
    return(inner)
  }
  if (!is.null(dim(inner)) && NCOL(inner) == 1L) inner <- inner[, 1L]
  if (!are_fold_ids(inner) || !is.null(dim(inner)) || anyNA(inner) || length(inner) != task$given) {
    abort_input(sprintf(paste(
      "`inner` is %s, but must be a number of folds or a whole number for each of the %d rows, as",
      "one column of margin_folds()."
    ), show_value(inner), task$given), "inner")
  }
  as.integer(inner)[task$rows]
}

# One outer fold: its inner cross-validation, the fit of what that chose, and its scores.
run_outer <- function(job, task, plan, metrics, rule, inner, told) {
  answer <- naming_place({
    part <- part_of_task(task, job$train, plan)
    cv <- inner_cv(part, plan, metrics, inner, job$train)
    best <- best_setting(cv, rule)
    arguments <- plan$arguments
    arguments$control <- job_control(arguments$control)
    setting <- setting_arguments(cv$settings, best$setting)
    fit <- fit_answer(task, job, plan$family, complete_arguments(arguments, setting))
    values <- judge(metrics, task$response[job$test],
                    function(needs) read_scores(fit$model, fit$scores, needs),
                    weights_of(task, job$test))
    list(cv = cv, best = best, values = values,
         relative_gap = max(fit$relative_gap, cv$results$relative_gap),
         certified = fit$certified && all(cv$results$certified),
         seconds = fit$seconds + sum(cv$results$seconds))
  }, "Outer fold", job)
  told()
  answer
}

# The training rows of one outer fold as a task of their own.
part_of_task <- function(task, train, plan) {
  kernels <- lapply(plan$settings$kernel, function(kernel) list(kernel = kernel))
  precomputed <- any(vapply(c(list(plan$arguments), kernels), is_precomputed, NA))
  task$x <- rows_of(task, train, if (precomputed) train)
  task["response"] <- list(task$response[train])
  if (!is.null(task$weights)) task$weights <- task$weights[train]
  if (!is.null(task$offset)) task$offset <- task$offset[train]
  task$rows <- seq_along(train)
  task$given <- length(train)
  task
}

inner_cv <- function(part, plan, metrics, inner, train) {
  folds <- if (length(inner) == 1L) inner else inner[train]
  resamples <- as_resamples(folds, NULL, strata_of(part), NULL, part$rows, part$given)
  assert_resamples(resamples, needed_classes(part))
  if (is.null(plan$settings)) {
    plan$settings <- as_grid(default_grid(part, plan$family, plan$arguments), plan$family,
                             plan$arguments)
  }
  plan$arguments$control <- job_control(plan$arguments$control)
  jobs <- cv_jobs(resamples, setting_groups(plan$settings, plan$family))
  rows <- lapply(jobs, seeded_job, run_group, task = part, plan = plan, metrics = metrics,
                 told = function() NULL)
  new_margin_cv(do.call(rbind, rows), plan, metrics, resamples, part, quote(margin_cv()))
}

new_margin_nested <- function(answers, plan, metrics, resamples, task, rule, call) {
  rows <- Map(function(answer, resample) {
    label <- setting_labels(answer$cv$settings)[answer$best$setting, , drop = FALSE]
    values <- as.list(answer$values)
    names(values)[1L] <- "score"
    head <- data.frame(repetition = resample$repetition, fold = resample$fold,
                       setting = answer$best$setting)
    cbind(if (ncol(label) > 0L) cbind(head, label) else head,
          data.frame(values, check.names = FALSE), inner_score = answer$best$mean,
          n_train = length(resample$train), n_test = length(resample$test),
          relative_gap = answer$relative_gap, certified = answer$certified,
          seconds = answer$seconds)
  }, answers, resamples)
  structure(
    list(results = without_row_names(do.call(rbind, rows)), inner = lapply(answers, `[[`, "cv"),
         metrics = metrics,
         folds = lapply(resamples, function(one) {
           list(repetition = one$repetition, fold = one$fold, test = task$rows[one$test])
         }),
         family = plan$family, rule = rule, task = task$task, levels = task$levels,
         nobs = nrow(task$x), call = compact_call(call)),
    class = "margin_nested"
  )
}

signal_nested <- function(nested) {
  signal_fits(
    nested$results, "outer folds", function(worst) {
      sprintf("fold %d of repetition %d", worst$fold, worst$repetition)
    },
    paste("What they chose and its score depend on where a solver stopped. Give control =",
          "margin_control(max_epochs = ) more.")
  )
  nested
}

# ---- What is read from it ----

#' @rdname margin_nested
#' @param object A result of `margin_nested()`.
#' @export
summary.margin_nested <- function(object, ...) {
  assert_no_extra("summary()", ...)
  assert_nested(object)
  results <- object$results
  folds <- nrow(results) / length(unique(results$repetition))
  rows <- lapply(seq_along(object$metrics), function(i) {
    values <- results[[if (i == 1L) "score" else names(object$metrics)[i]]]
    values <- values[!is.na(values)]
    data.frame(metric = names(object$metrics)[i], mean = mean(values),
               std.error = stats::sd(values) / sqrt(folds), n = length(values),
               inner = if (i == 1L) mean(results$inner_score) else NA_real_)
  })
  do.call(rbind, rows)
}

#' @rdname margin_nested
#' @export
tidy.margin_nested <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(summary(x))
}

#' @rdname margin_nested
#' @export
glance.margin_nested <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_nested(x, "x")
  as_tibble_if_installed(data.frame(
    family = x$family, rule = x$rule, glance_at_resamples(x),
    summary(x)[1L, c("metric", "mean", "std.error", "inner")], glance_at_fits(x)
  ))
}

#' @rdname margin_nested
#' @param digits Significant digits.
#' @export
print.margin_nested <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_nested(x, "x")
  results <- x$results
  cat(fold_lines(c(
    sprintf("<margin_nested> %s family on %s, %s", x$family, count(x$nobs, "row"),
            count(nrow(results), "outer fold")),
    sprintf("  the setting is chosen by %s, rule \"%s\", within the training rows",
            names(x$metrics)[1L], x$rule)
  )), sep = "\n")
  print(summary(x), digits = digits, row.names = FALSE)
  cat("settings that were chosen:\n")
  columns <- intersect(names(x$inner[[1L]]$settings), names(results))
  chosen <- if (length(columns) > 0L) results[columns] else results["setting"]
  chosen[] <- lapply(chosen, function(values) {
    if (is.numeric(values)) signif(values, digits) else values
  })
  keys <- do.call(paste, c(unname(as.list(chosen)), sep = "\r"))
  shown <- cbind(chosen[!duplicated(keys), , drop = FALSE],
                 folds = tabulate(match(keys, unique(keys))))
  print(shown[order(-shown$folds), , drop = FALSE], row.names = FALSE)
  missed <- sum(!results$certified)
  cat(if (missed == 0L) "All fits are certified.\n" else
    sprintf("NOT certified: fits of %d of %s, relative gap up to %s.\n", missed,
            count(nrow(results), "outer fold"), format(max(results$relative_gap), digits = 3)))
  invisible(x)
}

#' @rdname margin_nested
#' @param row.names,optional As in [as.data.frame()].
#' @export
as.data.frame.margin_nested <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$results
}
