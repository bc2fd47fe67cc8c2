# What the methods of all fits ask of a hard-margin SVM, and its support vectors.

#' @exportS3Method
describe_problem.margin_hard <- function(fit, digits) {
  support <- rowSums(as.matrix(fit$dual) > 0)
  c(kernel = if (is.null(fit$settings$kernel)) NA_character_ else format(fit$settings$kernel),
    margin = if (is.na(fit$separable)) {
      "not known, nothing proves that the classes can be separated or that they cannot"
    } else if (fit$separable) {
      sprintf("%s, %s", format(fit$certificate$value, digits = digits),
              count(sum(support > 0), "support vector"))
    } else {
      "none, the classes cannot be separated"
    })
}

#' @exportS3Method
problem_columns.margin_hard <- function(fit) {
  kernel <- fit$settings$kernel
  data.frame(kernel = if (is.null(kernel)) NA_character_ else kernel$name,
             separable = fit$separable)
}

#' @exportS3Method
score_design.margin_hard <- function(model, x, coefficients = scoring_coefficients(model)) {
  if (has_kernel(model)) kernel_scores(model, x, coefficients) else NextMethod()
}

#' @exportS3Method
slope_scales.margin_hard <- function(fit) if (has_kernel(fit)) 1 else fit$scales

#' @exportS3Method
summary.margin_hard <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  made$model[c("dual", "separable")] <- object[c("dual", "separable")]
  if (has_kernel(object)) summary_of_expansion(object, made) else made
}

#' Support vectors
#'
#' The training rows whose dual variable is not zero. Without the other rows the fit would be the
#' same.
#'
#' For [margin_hard()] these are the rows at the smallest distance from the boundary, and their
#' weights \eqn{q_i} sum to one. For [margin_linear()] and [margin_kernel()] with a hinge loss they
#' are the rows at or inside the margin; with a smooth loss they are all rows with a slope.
#'
#' @param fit A fit of [margin_hard()], [margin_linear()] or [margin_kernel()].
#' @param ... Not used; an unknown argument is an error.
#' @return A data frame with one row for each support vector (for several classes: for each support
#'   vector and class problem or other class), by weight:
#'   * `row` (its name, or number) and `response`;
#'   * `class` (several classes only): the class that the problem tells from the rest, for
#'     [margin_hard()] the class that the row is told from;
#'   * `weight`: the size of the dual variable, never negative;
#'   * `coefficient` \eqn{c_i}: with its sign, what the row counts in the score,
#'     \deqn{z(x) = \sum_i c_i\, k(\tilde x_i, \tilde x) + b,}{
#'       z(x) = sum_i c_i k(x_i, x) + b,}
#'     of columns divided by `fit$scales` (and centred, where the fit has a `center`), with
#'     \eqn{k(x, x') = x^\top x'}{k(x, x') = x'x} for a fit without a kernel and the intercept
#'     \eqn{b} (where it is penalised, a column of ones is part of \eqn{x}). For two classes it is
#'     positive for rows of the second level and negative for those of the first, so the sum is
#'     positive where the second is predicted. (In e1071 and LIBSVM the first label is the positive
#'     one, and `coefs` have the opposite sign.) For several classes it belongs to the score of
#'     `class`; for [margin_hard()] to that of the row's own class, and with the opposite sign to
#'     that of `class`. `NA` where the score is no such sum: `mixture` above 0, `nystrom`. With
#'     `mixup` the rows that were mixed count as well and are not in the table;
#'   * `score`.
#' @section Errors:
#' A fit without dual variables is an error of class `dualmargin_input_error`.
#' @examples
#' flowers <- droplevels(iris[iris$Species != "virginica", ])
#' support_rows(margin_hard(Species ~ ., data = flowers))
#' nrow(support_rows(margin_linear(Species ~ ., data = flowers, loss = "hinge")))
#' @export
support_rows <- function(fit, ...) UseMethod("support_rows")

#' @rdname support_rows
#' @export
support_rows.default <- function(fit, ...) abort_no_fit(fit, "support_rows()")

#' @export
support_rows.margin_fit <- function(fit, ...) {
  assert_no_extra("support_rows()", ...)
  assert_fit(fit, "fit")
  refuse_quantiles(fit, "support_rows()")
  if (is.null(fit[["dual"]])) {
    abort_input(sprintf(
      "`fit` is a fit of %s(), which has no dual variables and so no support vectors.",
      class(fit)[1L]
    ), "fit")
  }
  dual <- as.matrix(fit$dual)[seq_len(NROW(fit$scores)), , drop = FALSE]
  at <- which(dual != 0, arr.ind = TRUE)
  at <- at[order(-abs(dual[at])), , drop = FALSE]
  scores <- as.matrix(fit$scores)
  names <- rownames(scores)
  if (is.null(names)) names <- names(fit$scores)
  if (is.null(names)) names <- seq_len(nrow(scores))
  i <- at[, 1L]
  table <- data.frame(row = names[i], response = hard_response(fit)[i])
  if (ncol(dual) > 1L) table$class <- fit$levels[at[, 2L]]
  table$weight <- abs(dual[at])
  table$coefficient <- expansion_coefficients(fit, dual)[at]
  table$score <- if (ncol(scores) > 1L) scores[at] else scores[i]
  without_row_names(table)
}

# What each row counts in the score, a column for each class problem: score(x) = sum_i c_i k(x_i, x)
# + b. NA where there is no such sum: an l1 penalty, or landmarks in the place of the rows.
expansion_coefficients <- function(fit, dual) {
  if (inherits(fit, "margin_hard")) {
    bound <- fit$certificate$bound # the norm of the sum that the weights make
    if (length(fit$levels) > 2L) {
      return(dual / (2 * bound))
    }
    return(dual * ifelse(hard_response(fit) == fit$levels[2L], 1, -1) / bound)
  }
  if (!is.null(fit$settings$nystrom) || isTRUE(fit$settings$mixture > 0)) {
    return(NA * dual)
  }
  if (has_kernel(fit)) {
    beta <- kernel_coefficients(fit)
    place <- match(seq_len(nrow(dual)), fit$support$at)
    found <- matrix(0, nrow(dual), ncol(dual))
    found[!is.na(place), ] <- as.matrix(beta)[place[!is.na(place)], ]
    return(found)
  }
  # the dual variables are those of the response in its unit, the scores in that of the user
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  -unit * row_shares(fit) * dual / fit$settings$lambda
}

# Scores from which on a row is as far away as the margin asks.
margin_of_scores <- function(fit) {
  if (!inherits(fit, "margin_hard")) {
    return(1)
  }
  max(fit$certificate$value, 0)
}
