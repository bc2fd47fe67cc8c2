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
score_design.margin_hard <- function(model, x, coefficients) {
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
#' @param ... Nothing: unknown arguments are errors.
#' @return A data frame with one row for each support vector (for several classes: for each support
#'   vector and class problem or other class), by weight: `row` (its name, or number), `response`,
#'   `class` (several classes only: the class it is told from), `weight` (the dual variable) and
#'   `score`.
#' @section Errors:
#' A fit without dual variables is an error of class `dualmargin_input_error`.
#' @examples
#' flowers <- droplevels(iris[iris$Species != "virginica", ])
#' support_rows(margin_hard(Species ~ ., data = flowers))
#' nrow(support_rows(margin_linear(Species ~ ., data = flowers, loss = "hinge")))
#' @export
support_rows <- function(fit, ...) {
  call <- call_in_new_names(c(object = "fit"), "support_rows()")
  if (!is.null(call)) {
    return(eval(call, parent.frame()))
  }
  UseMethod("support_rows")
}

#' @rdname support_rows
#' @export
support_rows.default <- function(fit, ...) abort_no_fit(fit, "support_rows()")

#' @export
support_rows.margin_fit <- function(fit, ...) {
  assert_no_extra("support_rows()", ...)
  assert_fit(fit, "fit")
  if (is.null(fit[["dual"]])) {
    abort_input(sprintf(
      "`fit` is a fit of %s(), which has no dual variables and so no support vectors.",
      class(fit)[1L]
    ), "fit")
  }
  weight <- as.matrix(fit$dual)[seq_len(NROW(fit$scores)), , drop = FALSE]
  at <- which(weight != 0, arr.ind = TRUE)
  at <- at[order(-abs(weight[at])), , drop = FALSE]
  scores <- as.matrix(fit$scores)
  names <- rownames(scores)
  if (is.null(names)) names <- names(fit$scores)
  if (is.null(names)) names <- seq_len(nrow(scores))
  i <- at[, 1L]
  table <- data.frame(row = names[i], response = hard_response(fit)[i])
  if (ncol(weight) > 1L) table$class <- fit$levels[at[, 2L]]
  table$weight <- weight[at]
  table$score <- if (ncol(scores) > 1L) scores[at] else scores[i]
  without_row_names(table)
}

# One model of all classes, whose scores are compared with one another.
is_joint <- function(fit) is_softmax(fit) || inherits(fit, "margin_hard")

# Scores from which on a row is as far away as the margin asks.
margin_of_scores <- function(fit) {
  if (!inherits(fit, "margin_hard")) {
    return(1)
  }
  max(fit$certificate$value, 0)
}
