# The methods of one-class fits.

#' Predictions from a one-class fit
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
#' @param type `"class"` or `"score"`.
#' @param ... Nothing: unknown arguments are errors.
#' @return For each row of `newdata`: with `"class"` a factor with the levels `outlier` and
#'   `inlier`, with `"score"` the decision value.
#' @section Errors:
#' Of class `dualmargin_input_error`.
#' @examples
#' train <- seq(1, 50, by = 2)
#' fit <- margin_oneclass(iris[train, 1:4], nu = 0.1, kernel = kernel_rbf())
#' table(iris$Species[-train], predict(fit, iris[-train, 1:4]))
#' round(predict(fit, iris[c(2, 52, 102), ], type = "score"), 3)
#' @export
predict.margin_oneclass <- function(object, newdata, type = c("class", "score"), ...) {
  assert_no_extra("predict()", ...)
  assert_oneclass(object, "object")
  type <- one_of(type, c("class", "score"), "type")
  if (missing(newdata)) {
    scores <- stats::napredict(object$na.action, object$scores)
  } else if (is.null(newdata)) {
    abort_input(
      "`newdata` is NULL; give the rows to predict, or leave it out for the training rows.",
      "newdata"
    )
  } else {
    design <- design_newdata(object, newdata)
    scores <- oneclass_scores(object, design$x)
    scores[design$na_rows] <- NA
  }
  if (type == "score") {
    return(scores)
  }
  classes <- factor(c("outlier", "inlier")[2L - is_outlier(object, scores)],
                    c("outlier", "inlier"))
  stats::setNames(classes, names(scores))
}

# Not those whose sign the certificate leaves open. Fits of version 0.2 have no boundary.
is_outlier <- function(fit, scores = fit$scores) scores < -boundary_of(fit)
boundary_of <- function(fit) if (is.null(fit$boundary)) 0 else fit$boundary
on_boundary <- function(fit) sum(fit$weights > 0 & abs(fit$scores) <= boundary_of(fit))
share_of_outliers <- function(fit) sum(fit$weights[is_outlier(fit)]) / sum(fit$weights)

is_linear_oneclass <- function(fit) {
  inherits(fit, "margin_oneclass") && fit$settings$kernel$name == "linear"
}

oneclass_scores <- function(fit, x) {
  scores <- if (is_linear_oneclass(fit)) {
    linear_scores(x, matrix(oneclass_slopes(fit)), FALSE)
  } else {
    kernel_scores(fit, x, as.matrix(fit$coefficients))
  }
  stats::setNames(as.vector(scores) - fit$rho, rownames(x))
}

# Of the columns, for the linear kernel: sum_i a_i x_i, twice divided by the scales, whose squares
# may be out of range.
oneclass_slopes <- function(fit) {
  sums <- as.vector(Matrix::crossprod(fit$support$x, fit$coefficients))
  stats::setNames(sums / fit$scales / fit$scales, fit$features)
}

assert_oneclass <- function(fit, arg) {
  if (!inherits(fit, "margin_oneclass")) {
    abort_input(sprintf("`%s` is %s, but must be a fit of margin_oneclass().", arg,
                        show_value(fit)), arg)
  }
  fail <- damage_teller(fit, arg, "fit")
  if (!is.list(fit)) fail("it is no list")
  whole <- unclass(fit)
  p <- length(whole$features)
  tell_first(list(
    coefficients = is_numbers(whole$coefficients), rho = is_number(whole$rho),
    features = is_text(whole$features),
    scales = is_numbers(whole$scales) && length(whole$scales) == p && all(whole$scales > 0),
    certificate = is_table(whole$certificate, c("value", "bound", "gap", "relative_gap", "tol",
                                                "certified")),
    status = is_table(whole$status, c("status", "epochs", "seconds")),
    scores = is_numbers(whole$scores),
    boundary = is_null_or(whole$boundary, function(b) is_numbers(b) && is_number(b) && b >= 0),
    origin = is_null_or(whole$origin, function(origin) is_origin(origin, p)),
    terms = is_null_or(whole$terms, function(t) inherits(t, "terms")),
    na.action = is_null_or(whole$na.action, is.numeric),
    weights = is_numbers(whole$weights) && length(whole$weights) == length(whole$scores),
    settings = is.list(whole$settings) && inherits(whole$settings$kernel, "kernel_function") &&
      is_number(whole$settings$nu) && is_flag(whole$settings$scale),
    support = is.list(whole$support) && is.numeric(whole$support$at) &&
      length(whole$support$at) == length(whole$coefficients),
    sparse = is_flag(whole$sparse), call = is.call(whole$call)
  ), fail)
  invisible()
}
