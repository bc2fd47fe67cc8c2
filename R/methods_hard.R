# What the methods of all fits ask of a hard fit.

#' @exportS3Method
describe_problem.margin_hard <- function(fit, digits) {
  c(kernel = if (is.null(fit$settings$kernel)) "none, linear" else format(fit$settings$kernel))
}

#' @exportS3Method
problem_columns.margin_hard <- function(fit) data.frame(kernel = "linear")
