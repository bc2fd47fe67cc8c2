# What the generics of stats and generics do with results that are no fits: paths,
# cross-validations, comparisons of models and of solvers.

#' Results as one row or a data frame, and with changed arguments
#'
#' Read a result as a data frame, or make it again with other arguments. The results of
#' [margin_path()], [margin_cv()], [margin_compare()] and [compare_solvers()] have the generics that
#' fits have, or stop with the reason why not.
#'
#' @param x,object A result of [margin_path()], [margin_cv()], [margin_compare()] or
#'   [compare_solvers()].
#' @param data,newdata For `augment()` of a path, the rows to predict: a path keeps none, so one of
#'   the two has to be given.
#' @param lambda,mixture,radius,rate,nu Points of the path, as for [predict.margin_path()].
#' @param row.names,optional As for [base::as.data.frame()]; without effect.
#' @param formula. Changes to the formula, as in `. ~ . - age`.
#' @param ... For `update()`, arguments to change or to add, by name; else nothing.
#' @param evaluate Evaluate the new call, or only return it?
#' @return
#' * `glance()`: one row (a path has one for each point, see [margin_path-methods]). Of a
#'   cross-validation `family`, `n_settings`, `folds`, `repeats`, `metric`, `best` (the number of
#'   the best setting), its `mean` and `std.error`, `nobs`, `certified` (are all fits?),
#'   `relative_gap` (the largest) and `seconds`; of a comparison of models the same with `n_models`
#'   and the name of the `best`; of a comparison of solvers `n_solvers`, `n_refused`, `n_certified`,
#'   the lowest `value`, the highest `bound` and `seconds`.
#' * `tidy()` of a comparison of solvers: its `summary()`.
#' * `as.data.frame()`: a row for each point of a path, for each setting and fold of a
#'   cross-validation, for each model and fold of a comparison, for each certificate that a solver
#'   took on its way.
#' * `augment()` of a path: the data with `.lambda` (and `.mixture`, or `.radius`, or `.rate`) and
#'   the columns of [augment.margin_fit()], for each of the points one below the other.
#' * `update()`: the call, evaluated again with the changes; the data are looked up by the names in
#'   the call, as for [update.margin_fit()]; so are `folds`, `metric`, `specs` and other arguments of the
#'   comparison, and the settings of [compare_solvers()], where the call names a variable.
#' @section Errors:
#' Of class `dualmargin_input_error`, with the reason and what to do instead: a generic that has no
#' answer for the class, data that are not found any more.
#' @seealso [margin_path-methods], [`summary()`][summary.margin_cv], [summary.model_comparison()]
#' @examples
#' cv <- margin_cv(type ~ ., data = spambase[seq(1, 4601, by = 20), ], loss = "logistic",
#'                 grid = list(lambda = 10^-(1:3)), folds = 3, seed = 1)
#' glance(cv)
#' head(as.data.frame(cv), 3)
#' glance(update(cv, folds = 4))
#' @name margin_results
NULL

# ---- One row ----

#' @rdname margin_results
#' @export
glance.margin_cv <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_cv(x, "x")
  metric <- x$metrics[[1L]]
  table <- cv_table(x, metric)
  best <- if (all(is.na(table$mean))) NA_integer_ else
    if (metric$maximize) which.max(table$mean) else which.min(table$mean)
  as_tibble_if_installed(data.frame(
    family = x$family, n_settings = nrow(table), glance_at_resamples(x), metric = metric$name,
    best = best, mean = table$mean[best], std.error = table$std.error[best],
    glance_at_fits(x)
  ))
}

#' @rdname margin_results
#' @export
glance.model_comparison <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_model_comparison(x, "x")
  metric <- x$metrics[[1L]]
  table <- model_table(x, metric)
  best <- if (metric$maximize) which.max(table$mean) else which.min(table$mean)
  as_tibble_if_installed(data.frame(
    n_models = nrow(table), glance_at_resamples(x), metric = metric$name, best = table$model[best],
    mean = table$mean[best], std.dev = table$std.dev[best], glance_at_fits(x)
  ))
}

glance_at_resamples <- function(result) {
  repetition <- vapply(result$folds, function(one) one$repetition, result$folds[[1L]]$repetition)
  repeats <- length(unique(repetition))
  data.frame(folds = length(result$folds) / repeats, repeats = repeats)
}

glance_at_fits <- function(result) {
  results <- result$results
  gaps <- results$relative_gap[!is.na(results$relative_gap)]
  data.frame(nobs = result$nobs, certified = all(results$certified),
             relative_gap = if (length(gaps) > 0L) max(gaps) else NA_real_,
             seconds = sum(results$seconds))
}

#' @rdname margin_results
#' @export
glance.margin_comparison <- function(x, ...) {
  assert_no_extra("glance()", ...)
  assert_solver_comparison(x, "x")
  table <- certificate(x)
  as_tibble_if_installed(data.frame(
    n_solvers = length(x$fits) + length(x$refused), n_refused = length(x$refused),
    n_certified = sum(table$certified), nobs = stats::nobs(x$fits[[1L]]),
    value = min(table$value), bound = max(table$bound),
    seconds = sum(vapply(x$fits, function(fit) sum(fit$status$seconds), 0))
  ))
}

#' @rdname margin_results
#' @export
tidy.margin_comparison <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  assert_solver_comparison(x, "x")
  as_tibble_if_installed(structure(summary(x), class = "data.frame"))
}

# ---- As a data frame ----

#' @rdname margin_results
#' @export
as.data.frame.margin_path <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  assert_path(x, "x")
  path_table(x)
}

#' @rdname margin_results
#' @export
as.data.frame.margin_cv <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  assert_cv(x, "x")
  settings <- setting_labels(x$settings)[x$results$setting, , drop = FALSE]
  without_row_names(cbind(x$results["setting"], settings,
                          x$results[setdiff(names(x$results), c("setting", names(settings)))]))
}

#' @rdname margin_results
#' @export
as.data.frame.model_comparison <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  assert_model_comparison(x, "x")
  x$results
}

#' @rdname print.margin_certain
#' @param row.names,optional As for [base::as.data.frame()]; without effect.
#' @details `as.data.frame()`: what [plot()][plot.margin_certain] draws of each row of the fit.
#' @export
as.data.frame.margin_certain <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  assert_certain(x, "x")
  certain_rows_table(x)
}

#' @rdname margin_results
#' @export
as.data.frame.margin_comparison <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  convergence(x)
}

# ---- The rows with the predictions of a path ----

#' @rdname margin_results
#' @export
augment.margin_path <- function(x, data = NULL, newdata = NULL, lambda = NULL, mixture = NULL,
                                radius = NULL, rate = NULL, nu = NULL, ...) {
  assert_no_extra("augment()", ...)
  assert_path(x, "x")
  if (is.null(data) == is.null(newdata)) {
    abort_input(paste("`newdata` or `data` must be given, one of the two, with the rows to",
                      "predict: a path keeps no rows."), "newdata")
  }
  rows <- if (is.null(newdata)) data else newdata
  at <- pick_points(x, list(lambda = lambda, mixture = mixture, radius = radius, rate = rate,
                            nu = nu))
  inform_interpolated(at, x)
  scores <- path_scores(x, design_newdata(x, rows, on_disk = TRUE), at)
  points <- points_at(x, at)
  names(points) <- paste0(".", names(points))
  blocks <- lapply(seq_len(nrow(at)), function(i) {
    score <- scores_of_point(scores, i)
    point <- points[rep(i, nrow(scores)), , drop = FALSE]
    if (x$task != "regression") {
      model <- model_at(x, if (at$share[i] == 0) at$lower[i])
      return(cbind(point, classification_columns(x, function(type) {
        present_scores(model, score, type)
      })))
    }
    observed <- observed_response(x, rows)
    fitted <- data.frame(.fitted = unname(score))
    if (!is.null(observed)) fitted$.resid <- observed - unname(score)
    cbind(point, fitted)
  })
  repeated <- if (isS4(rows)) rows else rows[rep(seq_len(nrow(rows)), nrow(at)), , drop = FALSE]
  bind_rows_to(repeated, without_row_names(do.call(rbind, blocks)))
}

# ---- Made again ----

#' @rdname margin_results
#' @export
update.margin_path <- function(object, formula., ..., evaluate = TRUE) {
  assert_path(object, "object")
  call <- object$call
  if (!is.null(call$formula)) call$formula <- recorded_formula(call$formula, object$terms)
  settings <- object$settings[setdiff(names(object$settings), c("perturbation", "tol"))]
  # a variable that held a setting may have changed or gone; what the path spans is in its points
  settings[names(object$asked)] <- object$asked
  settings[object$coordinates] <- lapply(object$coordinates, function(name) unique(object[[name]]))
  for (name in intersect(names(call), names(settings))) {
    held <- !is_constant(call[[name]]) && !is.null(settings[[name]])
    if (held) call[[name]] <- settings[[name]]
  }
  update_call(call, if (!missing(formula.)) formula., match.call(expand.dots = FALSE)$...,
              evaluate, parent.frame(), object$taken)
}

#' @rdname margin_results
#' @export
update.margin_cv <- function(object, formula., ..., evaluate = TRUE) {
  assert_cv(object, "object")
  values <- c(object$problem$arguments, list(grid = object$settings, family = object$family))
  update_call(with_values(object$call, values), if (!missing(formula.)) formula.,
              match.call(expand.dots = FALSE)$..., evaluate, parent.frame(), object$taken)
}

#' @rdname margin_results
#' @export
update.model_comparison <- function(object, formula., ..., evaluate = TRUE) {
  if (inherits(object, "margin_comparison")) assert_solver_comparison(object, "object") else
    assert_model_comparison(object, "object")
  update_call(object$call, if (!missing(formula.)) formula.,
              match.call(expand.dots = FALSE)$..., evaluate, parent.frame(), object$taken)
}

#' @rdname margin_results
#' @export
update.margin_comparison <- update.model_comparison

#' @rdname margin_results
#' @usage NULL
#' @export
update.margin_nested <- function(object, formula., ..., evaluate = TRUE) {
  assert_nested(object, "object")
  update_call(object$call, if (!missing(formula.)) formula.,
              match.call(expand.dots = FALSE)$..., evaluate, parent.frame(), object$taken)
}

# Arguments of which one takes the place of the others.
rival_arguments <- list(c("lambda", "n_lambda", "lambda_min_ratio", "cost"),
                        c("radius", "n_radius", "radius_min_ratio"))

assert_changes_named <- function(changes) {
  if (length(changes) > 0L && (is.null(names(changes)) || any(names(changes) == ""))) {
    abort_input("`...` holds a change without a name; give every argument its name.", "...")
  }
}

# changes: the arguments by name.
update_call <- function(call, formula, changes, evaluate, where, taken = NULL) {
  assert_flag(evaluate, "evaluate")
  assert_changes_named(changes)
  if (!is.null(formula)) call <- changed_call_formula(call, formula, where)
  for (rivals in rival_arguments) {
    if (any(rivals[c(1L, length(rivals))] %in% names(changes))) {
      call[setdiff(rivals, names(changes))] <- NULL
    } else if (any(rivals %in% names(changes))) {
      call[rivals[1L]] <- NULL
    }
  }
  for (name in names(changes)) call[name] <- list(changes[[name]])
  assert_data_known(call, "update()")
  if (!evaluate) {
    return(call)
  }
  assert_variables_here(call, changes, taken, where)
  evaluate_with_data(call, where)
}

changed_call_formula <- function(call, change, where) {
  at <- intersect(c("formula", "x"), names(call))[1L]
  old <- if (is.na(at)) NULL else eval(call[[at]], where)
  if (!inherits(old, "formula")) {
    abort_input("`formula.` was given, but the data are `x` and `y`; change those.", "formula.")
  }
  if (!inherits(change, "formula")) {
    abort_input(sprintf("`formula.` is %s, but must be a formula, as in . ~ . - wt; name others.",
                        show_value(change)), "formula.")
  }
  # with its dots written out, as for a fit
  data <- if (!is.null(call$data)) eval(call$data, where)
  written <- stats::formula(stats::terms(old, data = if (is.data.frame(data)) data))
  call[[at]] <- formula_with_values(updated_formula(written, change), environment(old))
  call
}

# ---- Results whose print shows all that they hold ----

summary_itself <- function(object, ...) {
  assert_no_extra("summary()", ...)
  object
}

#' @rdname margin_audit
#' @usage NULL
#' @export
summary.margin_audit <- summary_itself

#' @rdname margin_audit
#' @usage NULL
#' @export
summary.margin_audits <- summary_itself

#' @rdname margin_performance
#' @usage NULL
#' @export
summary.margin_performance <- summary_itself

#' @rdname importance
#' @usage NULL
#' @export
summary.margin_importance <- summary_itself

#' @rdname friedman_nemenyi
#' @usage NULL
#' @export
summary.friedman_nemenyi <- summary_itself
