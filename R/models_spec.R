# What a comparison needs to know of a model: how to fit it, to ask it, and to judge its optimum.

#' Models to compare
#'
#' A *specification* says how a model is fitted and how it predicts, so that [margin_compare()] can
#' put it beside others on the same folds. `spec_margin()` makes one of any family of this package,
#' [spec_peer()] those of other packages, and `model_spec()` one of any two functions
#' that fit and predict.
#'
#' @param fit_fun A function `(x, y)` or `(x, y, weights)` that returns a model. `x` is a matrix, or
#'   a sparse one of package Matrix where the data are sparse, with named columns; `y` a factor with
#'   all its levels present, or numbers in a regression.
#' @param predict_fun A function `(model, x, levels)` of new rows, n of them, that returns one of
#'   * a factor: the predicted class;
#'   * a numeric vector (two levels): the decision value, whose class is `levels[2]` from 0 on; a
#'     matrix with a column for each of three or more levels, the largest of which is the class;
#'   * a list with one or more of `class`, `score` and `prob`, the last a matrix of a column for
#'     each level. What is absent is derived: a class from the decision value, or from the
#'     probabilities, and for two levels a decision value \eqn{p_2 - p_1}{p2 - p1}, for more the
#'     matrix of probabilities;
#'   * in a regression a numeric vector.
#' @param name What to call the model.
#' @param gap_fun A function `(model, x, y, weights)` of the rows that the model was fitted to,
#'   which returns a list of `relative_gap`, an upper bound on how far the model is from the optimum
#'   of its objective as in [certificate()], and `certified`; perhaps also `excess`, a lower bound.
#'   `NULL`: [margin_audit()] is asked, which knows fits of many packages; of others both are `NA`.
#' @param family A family of this package, see [margin_cv()].
#' @param ... For `spec_margin()`: arguments of the family's function, such as `loss`, `lambda`,
#'   `cost`, `kernel` or `control`, but no data. Columns are scaled by [margin_compare()], alike for
#'   all models, so `scale` is `FALSE` unless given. For `model_spec()` nothing: unknown arguments
#'   are errors.
#' @param x A specification.
#' @return A list of class `"margin_spec"`: `name`, `fit_fun`, `predict_fun`, `gap_fun`.
#' @section Errors:
#' Of class `dualmargin_input_error`: what is no function, or takes too few arguments; an unknown or
#' invalid argument of a family; a precomputed kernel, which has no columns that other models
#' could see.
#' @seealso [margin_compare()], [spec_peer()].
#' @examples
#' spec_margin("linear", loss = "logistic", lambda = 0.01)
#'
#' # the nearest class mean, which has no objective and so no gap
#' nearest <- model_spec(
#'   fit_fun = function(x, y) rowsum(x, y) / as.vector(table(y)),
#'   predict_fun = function(model, x, levels) {
#'     -apply(model, 1, function(mean) colSums((t(x) - mean)^2))
#'   },
#'   name = "nearest mean"
#' )
#' specs <- list(nearest, spec_margin("linear", loss = "logistic", lambda = 0.01))
#' margin_compare(Species ~ ., iris, specs, seed = 1)
#'
#' # a forest of package ranger
#' forest <- model_spec(
#'   fit_fun = function(x, y, weights = NULL) {
#'     ranger::ranger(x = x, y = y, probability = TRUE, case.weights = weights, num.threads = 1)
#'   },
#'   predict_fun = function(model, x, levels) list(prob = predict(model, x)$predictions),
#'   name = "ranger"
#' )
#' @export
model_spec <- function(fit_fun, predict_fun, name, gap_fun = NULL, ...) {
  assert_no_extra("model_spec()", ...)
  assert_model_function(if (!missing(fit_fun)) fit_fun, "fit_fun", c("x", "y"))
  assert_model_function(if (!missing(predict_fun)) predict_fun, "predict_fun",
                        c("model", "x", "levels"))
  if (!is.null(gap_fun)) {
    assert_model_function(gap_fun, "gap_fun", c("model", "x", "y", "weights"))
  }
  if (missing(name) || !is_name(name)) {
    abort_input(sprintf("`name` is %s, but must be what the model is called.",
                        if (missing(name)) "missing" else show_value(name)), "name")
  }
  structure(list(name = name, fit_fun = fit_fun, predict_fun = predict_fun, gap_fun = gap_fun),
            class = "margin_spec")
}

is_name <- function(name) {
  is.character(name) && length(name) == 1L && !is.na(name) && is_readable(name) && nzchar(name)
}

assert_model_function <- function(fun, arg, takes) {
  shown <- paste(takes, collapse = ", ")
  if (!is.function(fun)) {
    abort_input(sprintf("`%s` is %s, but must be a function (%s).", arg, show_value(fun), shown),
                arg)
  }
  assert_takes(fun, arg, takes)
}

takes_weights <- function(spec) any(c("weights", "...") %in% names(formals(args(spec$fit_fun))))

#' @rdname model_spec
#' @export
spec_margin <- function(family = "linear", ..., name = NULL) {
  assert_choice(family, names(families()), "family")
  if (!is_labelled(family)) {
    abort_input(paste(
      "`family` is \"oneclass\", whose fits have no labels to be compared by; use margin_cv(family =",
      "\"oneclass\"), with labels in `y` where there are some."
    ), "family")
  }
  arguments <- list(...)
  known <- family_arguments(family)
  stray <- arguments[!names(arguments) %in% known]
  assert_nothing_left(if (is.null(names(arguments))) arguments else stray, c(known, "name"),
                      character(), "spec_margin()")
  if (is_precomputed(arguments)) {
    abort_input(paste(
      "`kernel` is precomputed, which leaves no columns for other models to see; give a kernel of",
      "the columns, such as kernel_rbf()."
    ), "kernel")
  }
  if (is.null(arguments$scale)) arguments$scale <- FALSE
  refuse_checkpoint(arguments$control, "spec_margin()")
  refuse_ranks(arguments$control, "spec_margin()")
  if (is.null(arguments$control)) arguments$control <- margin_control(progress = FALSE)
  fit <- families()[[family]]$fit
  settings_of_arguments(family, arguments)
  class_weights <- arguments$class_weights
  if (!is.null(class_weights) && !identical(class_weights, "balanced")) {
    assert_class_weights(class_weights, NULL)
  }
  loss <- family_loss(family, arguments)
  assert_one_tau_each(loss)
  spec <- model_spec(
    fit_fun = function(x, y, weights = NULL) {
      # the numbers of some rows may look like labels where those of all do not
      if (!is.factor(y) && !takes_numbers(loss)) {
        assert_regression_possible(y, loss, classes_only(family))
        arguments$loss <- task_loss("regression")
      }
      quietly(do.call(fit, c(list(x = x, y = y, weights = weights), arguments), quote = TRUE))
    },
    predict_fun = predict_margin,
    name = if (is.null(name)) margin_spec_name(family, arguments) else name,
    gap_fun = function(model, x, y, weights) own_gap(model)
  )
  spec$loss <- loss
  spec$response_scale <- arguments$response_scale
  spec
}

margin_spec_name <- function(family, arguments) {
  paste(c(paste0("margin_", family),
          if (has_loss(family)) family_loss(family, arguments)$name), collapse = " ")
}

predict_margin <- function(model, x, levels) {
  scores <- stats::predict(model, x, type = "score")
  if (is.null(levels)) {
    return(unname_rows(scores))
  }
  prob <- if (identical(loss_name(model), "logistic")) read_scores(model, scores, "prob")
  list(class = read_scores(model, scores, "class"), score = read_scores(model, scores, "score"),
       prob = prob)
}

#' @rdname model_spec
#' @export
print.margin_spec <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<margin_spec> %s%s\n", x$name,
              if (is.null(x$gap_fun)) ", whose distance from its optimum is asked of margin_audit()" else
                ""))
  invisible(x)
}
