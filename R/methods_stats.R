# What the generics of stats ask of a fit beyond coef() and its like: each answers, or stops with
# the reason. A default method of stats would return NULL, or a number that means nothing here.

#' Further generics of stats
#'
#' Deviance, model matrix, terms, names and family of a fit. Generics that make no sense for a
#' penalised model stop with an explanation; none returns `NULL`.
#'
#' Functions of \R that call accessors with arguments of their own (`use.fallback`, `env`,
#' `complete`) may do so.
#'
#' @param object A fit.
#' @param data Rows to code: a data frame with the variables of the fit, or a matrix with its
#'   columns. A fit holds no rows, so they have to be given.
#' @param ... Not used; an unknown argument is an error.
#' @return
#' * `deviance()`: for the squared loss the weighted sum of squared residuals
#'   \eqn{\sum_i \omega_i (y_i - z_i)^2}{sum w (y - z)^2}, as for [stats::lm()]; for the logistic
#'   loss and two classes \eqn{2 \sum_i \omega_i \log(1 + e^{-y_i z_i})}{2 sum w log(1 + exp(-y
#'   z))}, as for [stats::glm()]. Both of the training rows, without the penalty. `NA` decision
#'   values do not occur.
#' * `model.matrix()`: the columns of `data` as the fit coded its own, on the user's scale, after a
#'   column of ones where `coef()` has an intercept: `model.matrix(fit, data) %*% coef(fit)` are the
#'   decision values, without an offset. A Matrix stays one.
#' * `terms()`: those of the formula; a fit from `x` and `y` has none, which is an error.
#' * `variable.names()`: the names of the features; `case.names()`: those of the training rows with
#'   positive weight, their numbers where they have no names.
#' * `family()`: [stats::gaussian()] for the squared loss, [stats::binomial()] for the logistic loss
#'   and two classes.
#' @section Errors:
#' Of class `dualmargin_input_error`. `sigma()`, `df.residual()`, `logLik()` (hence [stats::AIC()]
#' and [stats::BIC()]), `extractAIC()` (hence [stats::step()]), `anova()`, `vcov()` and `confint()`
#' stop: the estimate is penalised, so it does not maximise a likelihood, its degrees of freedom are
#' not the number of coefficients, and it has no sampling distribution that the fit would know. The
#' certificate is about the optimisation and not about the population. `deviance()` and `family()`
#' stop for losses that are no negative log-likelihood. Choose penalties and variables by
#' [margin_cv()], and get intervals of the penalised estimate from [margin_bootstrap()].
#' `simulate()` stops, since a loss is no distribution of the response, and so do `rstandard()`,
#' `rstudent()`, `hatvalues()`, `cooks.distance()`, `influence()` and `dfbetas()`: what becomes of a
#' fit without a row says [margin_loo()].
#' @seealso [margin_fit-methods], [margin_cv()]
#' @examples
#' train <- mtcars[1:24, ]
#' test <- mtcars[25:32, ]
#' fit <- margin_linear(mpg ~ wt + hp, data = train, loss = "squared")
#' deviance(fit)
#' variable.names(fit)
#' head(model.matrix(fit, test), 3)
#' @name margin_fit-stats
NULL

#' @rdname margin_fit-stats
#' @export
deviance.margin_fit <- function(object, ...) {
  assert_no_extra("deviance()", ...)
  assert_fit(object, "object")
  name <- loss_name(object)
  if (identical(name, "squared")) {
    return(sum(object$weights * (object$response - object$scores)^2))
  }
  if (identical(name, "logistic") && is.null(dim(object$scores)) && is_hard_label(object)) {
    sign <- 2 * as.integer(object$response == object$levels[2L]) - 1
    loss <- log1p(exp(-abs(object$scores))) + pmax(-sign * object$scores, 0)
    return(2 * sum(object$weights * loss))
  }
  refuse("deviance()", object, paste(
    "its loss is not the negative log-likelihood of one model of its response; the value of the",
    "objective is certificate(fit)$value"
  ))
}

# The deviance is one of classes: soft labels are between them.
is_hard_label <- function(fit) length(fit$levels) == 2L && !inherits(fit$response, "soft_labels")

#' @rdname margin_fit-stats
#' @export
model.matrix.margin_fit <- function(object, data, ...) {
  assert_no_extra("model.matrix()", ...)
  assert_fit(object, "object")
  x <- coded_rows(object, if (missing(data)) NULL else data)
  names <- c("(Intercept)", object$features)
  if (!identical(rownames(coef_matrix(object)), names)) {
    return(x)
  }
  x <- cbind(1, x)
  colnames(x) <- names
  x
}

coded_rows <- function(fit, data) {
  if (is.null(data)) {
    abort_input("`data` is missing; a fit holds no rows, so give them: model.matrix(fit, data).",
                "data")
  }
  design <- design_newdata(fit, data)
  x <- design$x
  if (length(design$na_rows) > 0L) x[design$na_rows, ] <- NA
  x
}

#' @rdname margin_fit-stats
#' @export
variable.names.margin_fit <- function(object, ...) {
  assert_no_extra("variable.names()", ...)
  assert_fit(object, "object")
  object$features
}

#' @rdname margin_fit-stats
#' @export
case.names.margin_fit <- function(object, ...) {
  assert_no_extra("case.names()", ...)
  assert_fit(object, "object")
  weighted_case_names(object)
}

weighted_case_names <- function(fit) {
  names <- if (is.matrix(fit$scores)) rownames(fit$scores) else names(fit$scores)
  if (is.null(names)) names <- as.character(seq_along(fit$weights))
  names[fit$weights > 0]
}

#' @rdname margin_fit-stats
#' @param x A fit.
#' @export
terms.margin_fit <- function(x, ...) {
  assert_no_extra("terms()", ...)
  assert_fit(x, "x")
  terms_of(x)
}

#' @rdname margin_path-methods
#' @export
terms.margin_path <- function(x, ...) {
  assert_no_extra("terms()", ...)
  assert_path(x, "x")
  terms_of(x)
}

terms_of <- function(model) {
  if (is.null(model$terms)) {
    abort_input("`x` is made from `x` and `y` and has no terms; see variable.names().", "x")
  }
  model$terms
}

#' @rdname margin_fit-stats
#' @export
family.margin_fit <- function(object, ...) {
  assert_no_extra("family()", ...)
  assert_fit(object, "object")
  name <- loss_name(object)
  if (identical(name, "squared") && object$task == "regression") {
    return(stats::gaussian())
  }
  if (identical(name, "logistic") && length(object$levels) == 2L) {
    return(stats::binomial())
  }
  refuse("family()", object, paste(
    "its loss is not the negative log-likelihood of an exponential family with one response"
  ))
}

#' @rdname margin_path-methods
#' @export
nobs.margin_path <- function(object, ...) {
  assert_no_extra("nobs()", ...)
  assert_path(object, "object")
  object$nobs
}

#' @rdname margin_path-methods
#' @export
formula.margin_path <- function(x, ...) {
  assert_no_extra("formula()", ...)
  assert_path(x, "x")
  if (is.null(x$terms)) {
    abort_input("`x` is a path from `x` and `y` and has no formula; see variable.names().", "x")
  }
  stats::formula(x$terms)
}

#' @rdname margin_path-methods
#' @export
variable.names.margin_path <- function(object, ...) {
  assert_no_extra("variable.names()", ...)
  object$features
}
