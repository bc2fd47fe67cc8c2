# importance(): how much a fit would lose without what each variable tells.

#' Importance of variables
#'
#' @description
#' Find out which variables the predictions of a fit rest on. `"permutation"` says how much worse
#' the predictions of given rows get, by a metric, when the values of one variable are permuted at
#' random, which keeps its distribution and removes its information. `"coefficient"` is the size of
#' a coefficient per standard deviation of its column. The first is defined for every family, the
#' second where columns have coefficients.
#' ```r
#' importance(fit, test, metric = "accuracy")
#' ```
#'
#' @details
#' With \eqn{M} the metric, \eqn{M_0} its value on the rows as they are and \eqn{M_{vr}} with
#' variable \eqn{v} permuted in repeat \eqn{r}, the permutation importance of Breiman (2001) is
#' \deqn{I_v = \pm \frac1R \sum_{r=1}^R (M_{vr} - M_0),}{I_v = +- 1/R sum over r of (M_vr - M_0),}
#' with the sign that makes it positive where the metric gets worse. It does not count how much
#' worse a fit *without* the variable would be: two variables that tell the same share their
#' importance, and rows are asked for that may not exist. All variables of a repeat are permuted
#' alike, so that the importance of one does not depend on which others are asked for. It is that of
#' columns of the data: a factor is permuted as a whole, and so are all terms of the formula in
#' which a variable stands. Give rows that the fit has not seen: its own show what the fit uses, be
#' it noise.
#'
#' The coefficient importance of a column \eqn{j} is \eqn{|\beta_j| s_j}{|beta_j| s_j}, with
#' \eqn{s_j} the standard deviation (population formula) of that column of `data`; without `data`
#' that of the rows of the fit, which a fit with `scale = TRUE` knows. Of several classes it is the
#' mean over their columns of coefficients. It is that of columns after coding: a factor has one for
#' each dummy.
#'
#' @param fit A fit of one of the families.
#' @param data The rows: for a fit from a formula a data frame that holds the response too, else a
#'   matrix or data frame of the features, with `y`. For `"coefficient"` `NULL`, or rows whose
#'   standard deviations count.
#' @param y The response of the rows, length n; left out where `data` holds it.
#' @param type `"permutation"` or `"coefficient"`.
#' @param metric For `"permutation"` a name from [metrics] or a value of [margin_metric()];
#'   `NULL` is the loss of the fit, see "The default" in [metrics].
#' @param repeats For `"permutation"` how often each variable is permuted, at least 1.
#' @param variables For `"permutation"` `NULL`, or the names of the variables that are wanted.
#' @param weights For `"permutation"` as in [margin_performance()].
#' @param seed `NULL`, or a whole number from which the permutations are drawn; R's stream is then
#'   left alone.
#' @param newoffset For `"permutation"` the offset of the rows, as in [margin_performance()].
#' @param x A result of `importance()`.
#' @param top How many variables to print or draw, the most important ones.
#' @param digits Significant digits.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Not used; an unknown argument is an error; for `plot()` graphical parameters, as for
#'   [plot.margin_fit()].
#' @return A list of class `"margin_importance"`:
#'   * `importance`: a data frame with a row per variable, the most important one first: `variable`,
#'     `importance`, and for `"permutation"` `std.dev`, the standard deviation over the repeats
#'     (`NA` of one);
#'   * `values`: for `"permutation"` the importance in each repeat, a matrix of variables by
#'     repeats;
#'   * `type`, and for `"permutation"` `metric` (its name), `baseline` (\eqn{M_0}), `repeats`, `n`
#'     (rows), `missing` (rows left out without a response or a prediction) and `fitted` (whether
#'     the rows are those of the fit).
#'
#'   `as.data.frame()` and `tidy()`: `importance`. `glance()`: one row: `type`, `n_variables`,
#'   `first` (the most important one) with its `importance`, and for `"permutation"` `metric`,
#'   `baseline`, `repeats` and `nobs`. `plot()`: what was drawn, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: no rows, a metric of the other task or of probabilities of a
#' fit without, `"coefficient"` of a kernel fit, or without `data` of a fit that did not scale its
#' columns, rows in a file.
#' @references
#' Breiman L (2001). Random forests. *Machine Learning* 45, 5-32. \doi{10.1023/A:1010933404324}.
#'
#' Fisher A, Rudin C, Dominici F (2019). All models are wrong, but many are useful: learning a
#' variable's importance by studying an entire class of prediction models simultaneously. *Journal
#' of Machine Learning Research* 20(177), 1-81.
#'
#' Strobl C, Boulesteix AL, Kneib T, Augustin T, Zeileis A (2008). Conditional variable importance
#' for random forests. *BMC Bioinformatics* 9, 307. \doi{10.1186/1471-2105-9-307}. (correlated
#' variables)
#' @seealso [plot.margin_fit()] with `data` for the effects of variables, [margin_performance()].
#' @examples
#' train <- seq(1, nrow(spambase), by = 10)
#' fit <- margin_linear(type ~ ., data = spambase[train, ], loss = "logistic", lambda = 0.01)
#' test <- seq(2, nrow(spambase), by = 4)
#' held_out <- importance(fit, spambase[test, ], metric = "auroc", repeats = 3, seed = 1)
#' print(held_out, top = 5)
#' plot(held_out)
#' # by coefficients
#' importance(margin_linear(mpg ~ ., data = mtcars), type = "coefficient")
#' @export
importance <- function(fit, ...) {
  UseMethod("importance")
}

#' @export
importance.default <- function(fit, ...) {
  abort_input(sprintf("`fit` is %s, but must be a fit such as margin_linear() makes.",
                      show_value(fit)), "fit")
}

#' @rdname importance
#' @export
importance.margin_fit <- function(fit, data = NULL, y = NULL,
                                  type = c("permutation", "coefficient"), metric = NULL,
                                  repeats = 5, variables = NULL, weights = NULL, seed = NULL,
                                  ..., newoffset = NULL) {
  assert_no_extra("importance()", ...)
  assert_fit(fit, "fit")
  type <- one_of(type, c("permutation", "coefficient"), "type")
  if (type == "coefficient") {
    assert_permutation_only(list(y = y, metric = metric, variables = variables, weights = weights,
                                 seed = seed, newoffset = newoffset))
    return(coefficient_importance(fit, data))
  }
  assert_number(repeats, "repeats", lower = 1, upper = 1e6, open = FALSE, whole = TRUE,
                remedy = "the default is 5")
  assert_seed(seed)
  variables <- chosen_variables(fit, variables)
  if (!family_of(fit)$labelled && is.null(y)) {
    abort_input("`y` is missing, and one class is judged by labels; give them.", "y")
  }
  metric <- importance_metric(fit, metric)
  data <- rows_of_variables(fit, data)
  rows <- judged_rows(fit, data, y, weights, "data", newoffset)
  data <- data[rows$at, , drop = FALSE]
  newoffset <- newoffset[rows$at]
  value_of <- function(scores) {
    judge(list(metric), rows$truth, function(needs) read_scores(fit, scores, needs), rows$weights)
  }
  baseline <- value_of(rows$score)
  orders <- with_seed(seed, lapply(seq_len(repeats), function(i) sample.int(nrow(data))))
  sign <- if (metric$maximize) -1 else 1
  values <- vapply(orders, function(order) {
    vapply(variables, function(name) {
      permuted <- permuted_variable(data, name, order)
      permuted <- unname_rows(score_rows(fit, permuted, newoffset))
      sign * (value_of(permuted) - baseline)
    }, 0)
  }, numeric(length(variables)))
  values <- matrix(values, length(variables), dimnames = list(variables, NULL))
  new_importance(variables, rowMeans(values), apply(values, 1L, stats::sd), list(
    values = values, type = type, metric = metric$name, baseline = unname(baseline),
    repeats = as.integer(repeats), n = length(rows$at), missing = rows$missing,
    fitted = rows$fitted
  ))
}

assert_permutation_only <- function(given) {
  given <- names(Filter(Negate(is.null), given))
  if (length(given) > 0L) {
    abort_input(sprintf(
      "`%s` is given, but type = \"coefficient\" has none; leave it out, or permute.", given[1L]
    ), given[1L])
  }
}

importance_metric <- function(fit, metric) {
  metrics <- performance_metrics(fit, metric, arg = "metric")
  if (!is.null(metric) && length(metrics) != 1L) {
    abort_input(sprintf("`metric` has %d metrics; an importance is of one.", length(metrics)),
                "metric")
  }
  metrics[[1L]]
}

# std.dev: NULL of what has none.
new_importance <- function(variables, importance, std_dev, more) {
  table <- data.frame(variable = variables, importance = unname(importance))
  if (!is.null(std_dev)) table$std.dev <- unname(std_dev)
  down <- order(-table$importance)
  if (!is.null(more$values)) more$values <- more$values[down, , drop = FALSE]
  structure(c(list(importance = without_row_names(table[down, ])), more),
            class = "margin_importance")
}

coefficient_importance <- function(fit, data) {
  if (has_kernel(fit)) {
    abort_input(paste(
      "`type` is \"coefficient\", but a kernel fit has none of columns; use type = \"permutation\"",
      "with rows to predict."
    ), "type")
  }
  slopes <- coef_matrix(fit)
  if (has_intercept(fit)) slopes <- slopes[-1L, , drop = FALSE]
  deviations <- if (is.null(data)) fitted_deviations(fit) else given_deviations(fit, data)
  new_importance(fit$features, rowMeans(abs(slopes)) * deviations, NULL,
                 list(type = "coefficient"))
}

fitted_deviations <- function(fit) {
  if (!isTRUE(fit$settings$scale)) {
    abort_input(paste(
      "`data` is missing, and the fit did not scale its columns (scale = FALSE); give the rows",
      "whose standard deviations are to count."
    ), "data")
  }
  fit$scales
}

given_deviations <- function(fit, data) {
  design <- named_as("data", design_newdata(fit, data, on_disk = TRUE))
  rows <- setdiff(seq_len(nrow(design$x)), design$na_rows)
  if (length(rows) == 0L) {
    abort_input("`data` has no complete row; give some.", "data")
  }
  x <- if (length(design$na_rows) > 0L) design$x[rows, , drop = FALSE] else design$x
  column_frame(x, rep(1, length(rows)))$sd
}
