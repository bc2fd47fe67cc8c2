# importance(): what a column tells by its coefficient.

#' Importance of columns
#'
#' Find out which columns the predictions of a fit rest on: the size of a coefficient per standard
#' deviation of its column.
#'
#' The importance of a column \eqn{j} is \eqn{|\beta_j| s_j}{|beta_j| s_j}, with \eqn{s_j} the standard
#' deviation (population formula) of that column of `data`; without `data` that of the rows of the
#' fit, which a fit with `scale = TRUE` knows. Of several classes it is the mean over their columns
#' of coefficients. It is that of columns after coding: a factor has one for each dummy.
#'
#' How much worse predictions get where a variable is permuted, and what they are on average where it
#' has a value, is asked of packages made for that: `vignette("frameworks")` has a call each of vip,
#' DALEX, pdp and marginaleffects, with weights and an offset.
#'
#' @param fit A fit of one of the families, of columns and not of a kernel.
#' @param data `NULL`, or rows whose standard deviations count: a data frame or matrix.
#' @param x A result of `importance()`.
#' @param top How many columns to print or draw, the most important ones.
#' @param digits Significant digits.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... Not used; an unknown argument is an error; for `plot()` graphical parameters, as for
#'   [plot.margin_fit()].
#' @return A list of class `"margin_importance"` with `importance`: a data frame with a row per
#'   column, the most important one first: `variable` and `importance`, which `as.data.frame()` and
#'   `tidy()` return. `glance()`: one row: `n_variables` and `first` (the most important one) with its
#'   `importance`. `plot()`: what was drawn, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: a kernel fit, no `data` of a fit that did not scale its columns.
#' @seealso [plot.margin_fit()] for the coefficients by class, [margin_performance()].
#' @examples
#' found <- importance(margin_linear(mpg ~ ., data = mtcars))
#' found
#' plot(found, top = 5)
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
importance.margin_fit <- function(fit, data = NULL, ...) {
  assert_no_extra("importance()", ...)
  assert_fit(fit, "fit")
  if (has_kernel(fit)) {
    abort_input(paste(
      "`fit` has a kernel, and no coefficients of columns; permute its variables by package vip or",
      "DALEX."
    ), "fit")
  }
  slopes <- coef_matrix(fit)
  if (has_intercept(fit)) slopes <- slopes[-1L, , drop = FALSE]
  deviations <- if (is.null(data)) fitted_deviations(fit) else given_deviations(fit, data)
  table <- data.frame(variable = fit$features,
                      importance = unname(rowMeans(abs(slopes)) * deviations))
  structure(list(importance = without_row_names(table[order(-table$importance), ])),
            class = "margin_importance")
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
