# What the methods of all fits ask of a linear fit, and the decision values of columns.

describe_linear_points <- function(path, number) {
  mixtures <- unique(path$mixture)
  c(loss = format(path$settings$loss),
    lambda = paste0(describe_range(path$lambda, length(path$lambda) / length(mixtures), number),
                    if (length(mixtures) > 1L) " for each mixture"),
    mixture = paste(vapply(mixtures, number, ""), collapse = ", "),
    if (!is.null(path$settings$penalty_factor)) {
      c(factors = factor_range(path$settings, 4L))
    },
    if (has_bounds(path$settings)) c(bounds = bounds_in_words(path$settings, 4L)),
    if (has_offset(path)) c(offset = "a number a row, added to the decision value"))
}

#' @exportS3Method
describe_problem.margin_linear <- function(fit, digits) {
  settings <- fit$settings
  kind <- if (settings$mixture == 0) "ridge" else if (settings$mixture == 1) "lasso" else
    "elastic net"
  c(loss = format(settings$loss),
    penalty = sprintf("%s, lambda = %s, mixture = %s", kind,
                      format(settings$lambda, digits = digits),
                      format(settings$mixture, digits = digits)),
    if (!is.null(settings$penalty_factor)) c(factors = factor_range(settings, digits)),
    if (has_bounds(settings)) c(bounds = bounds_in_words(settings, digits)),
    if (has_offset(fit)) c(offset = "a number a row, added to the decision value"))
}

bounds_in_words <- function(settings, digits) {
  one <- function(bound, none) {
    range <- unique(range(if (is.null(bound)) none else bound))
    paste(vapply(range, format, "", digits = digits), collapse = " or up to ")
  }
  sprintf("coefficients from %s to %s", one(settings$lower, -Inf), one(settings$upper, Inf))
}

factor_range <- function(settings, digits) {
  range <- vapply(unique(range(settings$penalty_factor)), format, "", digits = digits)
  paste0("of the penalty, ", paste(range, collapse = " to "), ", one a column")
}

#' @exportS3Method
problem_columns.margin_linear <- function(fit) {
  data.frame(loss = loss_name(fit), lambda = fit$settings$lambda, mixture = fit$settings$mixture)
}

# scores = x w + b, sparse x staying sparse: a vector, or a column for each class.
linear_scores <- function(x, coefficients, has_intercept) {
  slopes <- if (has_intercept) coefficients[-1L, , drop = FALSE] else coefficients
  scores <- as.matrix(x %*% slopes)
  if (has_intercept) {
    scores <- sweep(scores, 2L, coefficients[1L, ], `+`)
  }
  if (ncol(scores) == 1L) stats::setNames(drop(scores), rownames(x)) else scores
}
