# What the methods of all fits ask of a hard fit.

#' @exportS3Method
describe_problem.margin_hard <- function(fit, digits) {
  if (!has_kernel(fit)) {
    return(c(kernel = "none, linear"))
  }
  c(kernel = format(fit$settings$kernel),
    support = sprintf("%s with a coefficient", count(NROW(fit$support$at), "row")))
}

#' @exportS3Method
problem_columns.margin_hard <- function(fit) {
  data.frame(kernel = if (has_kernel(fit)) fit$settings$kernel$name else "linear")
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
  if (has_kernel(object)) summary_of_expansion(object, made) else made
}
