# What the methods of all fits ask of a one-class fit, and those of its own.

is_oneclass <- function(model) inherits(model, c("margin_oneclass", "margin_path_oneclass"))

#' Predictions from a one-class fit
#'
#' Says of new rows whether they are outliers.
#'
#' The decision value of a row is \eqn{f(x) - \rho = \sum_i a_i k(x_i, x) - \rho}{f(x) - rho = sum_i
#' a_i k(x_i, x) - rho}; a row is an inlier where it is 0 or more, or nearer to 0 than the certified
#' error of the fit, `fit$boundary`, see [margin_oneclass()]. Columns are found by name, extra ones
#' are ignored, missing ones and new factor levels are errors, and a row with a missing value gives
#' `NA`, as in [predict.margin_fit()].
#'
#' @param object A fit of [margin_oneclass()].
#' @param newdata Rows to predict, with the columns of the training rows; without it, the training
#'   rows. With [kernel_precomputed()] the kernel values between them and all training rows.
#' @param type `"class"`, which is that of `NULL`, `"score"` or `"distance"`.
#' @param threshold,on As for [predict.margin_fit()]: another decision value than that of the fit,
#'   from which on a row is an inlier.
#' @param ... Not used; an unknown argument is an error.
#' @return For each row of `newdata`: with `"class"` a factor with the levels `outlier` and
#'   `inlier`, with `"score"` the decision value, with `"distance"` how far the row lies from the
#'   centre of the ball of support vector data description, whose radius is `fit$radius`, in the
#'   space of the kernel (see [margin_oneclass()]; for [kernel_rbf()] and [kernel_laplace()] only).
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1, kernel = kernel_rbf())
#' table(iris$Species[-train], predict(fit, iris[-train, 1:4]))
#' round(predict(fit, iris[c(2, 52, 102), ], type = "score"), 3)
#' # farther from the centre than the radius
#' predict(fit, iris[c(2, 52, 102), ], type = "distance") > fit$radius
#' @export
predict.margin_oneclass <- function(object, newdata, type = NULL, threshold = NULL,
                                    on = c("score", "prob"), ...) {
  NextMethod()
}

# |phi(x) - f|_H, of rows with k(x, x) = 1; rounding may have taken a zero below it.
centre_distances <- function(fit, scores) {
  if (!is_isotropic(fit$settings$kernel)) {
    abort_input(sprintf(paste(
      "`type` is \"distance\", but rows of the %s kernel of this fit have different lengths, and no",
      "ball goes with it; use kernel_rbf() or kernel_laplace(), or type = \"score\"."
    ), fit$settings$kernel$name), "type")
  }
  sqrt(pmax(1 + fit$square - 2 * (scores + fit$rho), 0))
}

# ---- Which rows are outliers ----

# Not those whose sign the certificate leaves open; 0 for fits with a response.
boundary_of <- function(model) if (is_oneclass(model)) model$boundary else 0
share_outside <- function(fit) {
  sum(fit$weights[fit$scores < -fit$boundary]) / sum(fit$weights)
}

# The point i of a path, which has one boundary each, as a model that reads scores; NULL: between
# points, where nothing is certified.
model_at <- function(path, i) {
  if (is_oneclass(path)) {
    path$boundary <- if (is.null(i)) 0 else path$boundary[i]
    path$settings["nu"] <- list(path$nu[i])
  }
  path
}

# ---- Decision values ----

is_linear_oneclass <- function(fit) {
  inherits(fit, "margin_oneclass") && fit$settings$kernel$name == "linear"
}

#' @exportS3Method
score_design.margin_oneclass <- function(model, x, coefficients = scoring_coefficients(model)) {
  if (is_linear_oneclass(model)) { # right in any unit of a column
    return(linear_scores(x, matrix(c(-model$rho, oneclass_slopes(model))), TRUE))
  }
  kernel_scores(model, x, coefficients)
}

#' @exportS3Method
score_design.margin_path_oneclass <- score_design.margin_oneclass

# Of the columns, for the linear kernel: sum_i a_i x_i, twice divided by the scales, whose squares
# may be out of range.
oneclass_slopes <- function(fit) {
  sums <- as.vector(Matrix::crossprod(fit$support$x, kernel_coefficients(fit)))
  stats::setNames(sums / fit$scales / fit$scales, fit$features)
}

#' Methods of one-class fits
#'
#' Read, plot and summarise a fit of [margin_oneclass()]. Most methods answer as for other fits, see
#' [margin_fit-methods], [margin_fit-stats] and [tidiers]; this page has what differs.
#'
#' There is no response, so there is nothing for `residuals()`, `deviance()` and `family()` to
#' answer; they stop with the reason.
#'
#' @param object,x A fit.
#' @param which `"scores"` or `"convergence"`.
#' @param complete As for [coef.margin_fit()].
#' @param ... For `plot()` graphical parameters, as for [plot.margin_fit()]; else nothing: unknown
#'   arguments are errors.
#' @return
#' * `coef()`: the intercept \eqn{-\rho}{-rho} and the \eqn{a_i} of the support vectors; for
#'   `kernel = "linear"` the intercept and the coefficients of the columns. `tidy()` has them as
#'   `term` and `estimate`.
#' * `fitted()`: the class of each training row, `"outlier"` or `"inlier"`, as `predict(object)`.
#' * `glance()`: as of other fits, with `kernel`, `sigma`, `nu`, `outside` (the share of the weight
#'   of the outliers), `on_boundary` (rows whose sign is open, which count as inliers) and `radius`.
#' * `augment()`: the rows with `.pred_class` and `.score`.
#' * `plot()`: with `which = "scores"` a histogram of the decision values; rows on the boundary are
#'   drawn at 0. Invisibly a data frame of `score` and `outlier`. With `"convergence"` the
#'   picture of [plot.margin_fit()].
#' * `summary()`: that of a kernel fit, with the shares of outliers, \eqn{\nu}{nu} and support
#'   vectors, the quantiles of the decision values and the radius.
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1)
#' glance(fit)
#' table(fitted(fit))
#' test <- augment(fit, newdata = iris[-train, ])
#' tapply(test$.score, test$Species, range)
#' @name margin_oneclass-methods
NULL

#' @rdname margin_oneclass-methods
#' @export
coef.margin_oneclass <- function(object, complete = TRUE, ...) {
  coefficients <- NextMethod()
  if (!is_linear_oneclass(object)) {
    return(coefficients)
  }
  c("(Intercept)" = -object$rho, oneclass_slopes(object))
}

# ---- In words ----

#' @exportS3Method
describe_problem.margin_oneclass <- function(fit, digits) {
  number <- function(value) format(value, digits = digits)
  c(kernel = format(fit$settings$kernel), nu = number(fit$settings$nu), rho = number(fit$rho),
    radius = if (is.na(fit$radius)) NA_character_ else
      sprintf("%s, of the ball of support vector data description", number(fit$radius)),
    support = describe_support(fit),
    outliers = sprintf("%s of the training weight", number(fit$outside)),
    boundary = if (fit$boundary == 0) NA_character_ else
      sprintf("%s at 0 within the certified error, %s, counted as inliers",
              count(fit$on_boundary, "row"), format(fit$boundary, digits = 2L)))
}

#' @exportS3Method
problem_columns.margin_oneclass <- function(fit) {
  data.frame(kernel = fit$settings$kernel$name, sigma = fit$settings$kernel$sigma,
             nu = fit$settings$nu, outside = fit$outside, on_boundary = fit$on_boundary,
             radius = fit$radius)
}

#' @exportS3Method
slope_scales.margin_oneclass <- function(fit) 1

#' @export
support_rows.margin_oneclass <- function(fit, ...) {
  assert_no_extra("support_rows()", ...)
  assert_fit(fit, "fit")
  at <- fit$support$at
  a <- unname(kernel_coefficients(fit)[, 1L])
  most <- fit$weights[at] / (fit$settings$nu * sum(fit$weights))
  table <- data.frame(row = rownames(kernel_coefficients(fit)), weight = a, at_bound = a >= most,
                      score = unname(fit$scores[at]))
  without_row_names(table[order(-a), ])
}

#' @rdname margin_oneclass-methods
#' @export
summary.margin_oneclass <- function(object, ...) {
  assert_no_extra("summary()", ...)
  made <- NextMethod()
  summary_of_expansion(object, made)
}

# What training_performance() is for rows without a response.
oneclass_shares <- function(fit) {
  support <- support_rows.margin_oneclass(fit)
  list(shares = c(outliers = fit$outside, nu = fit$settings$nu,
                  support = sum(fit$weights[fit$support$at]) / sum(fit$weights)),
       scores = stats::setNames(
         weighted_quantile(unname(fit$scores), fit$weights, seq(0, 1, 0.25)),
         c("0%", "25%", "50%", "75%", "100%")
       ), at_bound = sum(support$at_bound))
}

oneclass_lines <- function(performance, digits) {
  numbers <- function(values) {
    utils::capture.output(print(values, digits = digits))
  }
  c("  shares of the weight (outliers <= nu <= support vectors at the optimum):",
    numbers(performance$shares), "  decision values:", numbers(performance$scores),
    sprintf("  %s at the bound", count(performance$at_bound, "support vector")))
}

#' @rdname margin_oneclass-methods
#' @export
plot.margin_oneclass <- function(x, which = c("scores", "convergence"), ...) {
  which <- one_of(which, c("scores", "convergence"), "which")
  if (which != "scores") {
    return(plot.margin_fit(x, which, ...))
  }
  assert_plot_arguments("plot()", ...)
  assert_fit(x, "x")
  drawn <- data.frame(score = unname(x$scores), outlier = unname(x$scores < -x$boundary))
  sides <- factor(ifelse(drawn$outlier, "outlier", "inlier"), x$levels)
  shown <- ifelse(abs(drawn$score) <= x$boundary, 0, drawn$score)
  old <- graphics::par(mar = c(4.2, 4.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(levels(sides))
  histogram_by_class(shown, sides, 40, list(
    main = "Training decision values", xlab = "decision value (0 or more: inlier)", ylab = "rows"
  ), 0, ...)
  side_legend(room, levels(sides), fill = histogram_colours(), border = NA)
  invisible(drawn)
}

# Why a run did not certify, and what to try: there is no penalty to raise.
remedy_of_oneclass <- function(status, fit) {
  if (status$status %in% c("max_epochs", "max_seconds")) {
    return(sprintf("Raise %s in margin_control().", status$status))
  }
  if (fit$settings$kernel$name == "linear") {
    return("The origin may lie among the rows; use a kernel of distances, as kernel_rbf().")
  }
  "Try a larger tol or a larger nu."
}
