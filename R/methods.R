#' Accessors: coefficients, fitted values, residuals, weights, formula
#'
#' Read the coefficients, fitted values, residuals, weights and formula of a fit. Unknown arguments
#' are errors.
#'
#' For what the other generics of stats say of a fit see [margin_fit-stats].
#'
#' @param object,x a fit.
#' @param complete,use.fallback,env taken since callers in stats give them; without effect: no
#'   coefficient is aliased, the number of rows is known, and a formula has its own environment.
#' @param type Of a regression `"response"` or `"working"`: response minus fitted value;
#'   `"pearson"`, for the squared loss only: the same times the square root of the weight, as for
#'   [stats::lm()].
#'   Of two classes with the logistic loss `"response"`, `"pearson"` and `"working"` are those of
#'   [stats::glm()]: with \eqn{y = \pm 1}{y = -1, 1}, the decision value \eqn{z} and the weight
#'   \eqn{\omega}{w} \eqn{y\, p(-y z)}{y p(-y z)} with \eqn{p(m) = 1/(1 + e^{-m})}{p(m) = 1/(1 +
#'   exp(-m))}, the observed less the expected share of the second class,
#'   \eqn{y \sqrt{\omega e^{-y z}}}{y sqrt(w exp(-y z))} and \eqn{y / p(y z)}{y / p(y z)}.
#'
#'   `"deviance"`, of any loss \eqn{\phi}{phi}: \deqn{\mathrm{sign}(y - z) \sqrt{2 \omega
#'   \left[\phi(z, y) - \min_t \phi(t, y)\right]},}{sign(y - z) sqrt(2 w [phi(z, y) - min over t of
#'   phi(t, y)]),} the loss of a row above that of a model which has a decision value for each
#'   (saturated). For the squared and the logistic loss these are the textbook's, and their squares
#'   add up to `deviance()`; for others the squares add up to twice the weighted sum of losses. A
#'   regression's loss is in the unit of the response, for losses that are quadratic at 0 in its
#'   square. For a classification the sign is that of the class, 1 the second; several classes
#'   one-vs-rest have a column each. With [soft_labels()] and the logistic loss the saturated loss
#'   is the entropy of the label. Class weights do not count.
#' @param ... nothing: unknown arguments are errors.
#' @return
#' * `coef()`: for two classes or a regression a named vector, `"(Intercept)"` first unless
#'   `intercept = "none"`, then the features; for more classes, or several quantiles, a matrix with
#'   those rows and one column for each level, or `tau`. On the scale of the columns as they were
#'   given, also where the fit scaled them. They are for reading: where columns are far from the
#'   origin the intercept has lost the digits that it takes away from their sum, and `predict()`
#'   goes by `fit$origin`, the `center` that the fit subtracted from the columns and the `intercept`
#'   there.
#' * `fitted()`: the same as `predict(object)`: the predicted class of every training row in the
#'   type of the response, or for a regression the prediction.
#' * `residuals()`: for a regression in the units of the response, and for two classes with the
#'   logistic loss, see `type`. Any other classification has those of the deviance alone; one
#'   problem of all classes and a maximum margin have none, which is an error. Decision values are
#'   `predict(object, type = "score")`.
#' * `nobs()`: the number of rows with positive weight that were fitted.
#' * `weights()`: the observation weights as given (1 where none were), without class weights.
#' * `formula()`: the formula with its dots written out; a fit made from `x` and `y` has none, which
#'   is an error.
#'
#' `fitted()`, `residuals()` and `weights()` follow `na.action`: [stats::na.exclude()] puts `NA`
#' back where rows were left out.
#' @seealso [predict.margin_fit()], [update.margin_fit()], [summary.margin_fit()]
#' @examples
#' fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")
#' coef(fit)
#' head(residuals(fit), 3)
#' nobs(fit)
#' formula(fit)
#' @name margin_fit-methods
NULL

#' @rdname margin_fit-methods
#' @export
coef.margin_fit <- function(object, complete = TRUE, ...) {
  assert_no_extra("coef()", ...)
  assert_fit(object, "object")
  assert_flag(complete, "complete")
  object$coefficients
}

#' @rdname margin_fit-methods
#' @export
fitted.margin_fit <- function(object, ...) {
  assert_no_extra("fitted()", ...)
  assert_fit(object, "object")
  stats::predict(object)
}

#' @rdname margin_fit-methods
#' @export
residuals.margin_fit <- function(object, type = c("response", "working", "pearson", "deviance"),
                                 ...) {
  assert_no_extra("residuals()", ...)
  assert_fit(object, "object")
  typed_residuals(object, one_of(type, residual_types, "type"))
}

#' @rdname margin_fit-methods
#' @export
nobs.margin_fit <- function(object, use.fallback = FALSE, ...) {
  assert_no_extra("nobs()", ...)
  assert_fit(object, "object")
  sum(object$weights > 0)
}

#' @rdname margin_fit-methods
#' @export
weights.margin_fit <- function(object, ...) {
  assert_no_extra("weights()", ...)
  assert_fit(object, "object")
  stats::naresid(object$na.action, object$weights)
}

#' @rdname margin_fit-methods
#' @export
formula.margin_fit <- function(x, env = parent.frame(), ...) {
  assert_no_extra("formula()", ...)
  assert_fit(x, "x")
  if (!identical(x$interface, "formula")) {
    abort_input(
      "`x` was fitted from `x` and `y` and has no formula; its features are in x$features.", "x"
    )
  }
  stats::formula(x$terms)
}

# ---- What the methods of this package ask of a fit, in one place for all families ----

# Do its coefficients have an intercept?
has_intercept <- function(fit) has_constant(fit$settings)

# Columns of an augmented fit that were centred make one of w'(x - m), beside that of the problem.
has_constant <- function(settings) {
  !identical(settings$intercept, "none") ||
    (isTRUE(settings$center) && !is.null(settings$perturbation))
}

# Are the coefficients those of rows, and not of columns?
has_kernel <- function(fit) !is.null(fit$support)

# Always a matrix: one column for each class problem.
coef_matrix <- function(fit) {
  as.matrix(fit$coefficients)
}

# The slopes alone, times the scale of their columns: what the penalty saw, and comparable between
# columns.
scaled_slopes <- function(fit) {
  slopes <- coef_matrix(fit)
  if (has_intercept(fit)) {
    slopes <- slopes[-1L, , drop = FALSE]
  }
  slopes * slope_scales(fit)
}

# What a coefficient is multiplied by to be on the scale of the penalty: one number, or one a row.
slope_scales <- function(fit) {
  UseMethod("slope_scales")
}

#' @exportS3Method
slope_scales.default <- function(fit) column_scales(fit)

loss_name <- function(fit) {
  loss <- fit$settings$loss
  if (is.null(loss)) NA_character_ else loss$name
}

# The levels that have their own problem: none for two classes or a regression.
problem_classes <- function(fit) {
  if (length(fit$levels) > 2L) fit$levels else tau_labels(fit$settings$loss)
}

# An argument that falls into `...` would change nothing and say nothing, so it is an error. The
# arguments to name instead are those of the method that calls.
assert_no_extra <- function(caller, ...) {
  if ("digits" %in% names(formals(sys.function(sys.parent())))) {
    assert_number(get("digits", parent.frame()), "digits", lower = 1, upper = 22, open = FALSE,
                  whole = TRUE, remedy = "it is that of format()")
  }
  if (...length() == 0L) {
    return(invisible())
  }
  given <- names(substitute(list(...)))[2L]
  valid <- setdiff(names(formals(sys.function(sys.parent()))), "...")
  if (is.null(given) || is.na(given) || given == "") {
    abort_input(sprintf("%s was given an argument too many; it takes %s.", caller,
                        paste0("`", valid, "`", collapse = ", ")), "...")
  }
  hint <- maker_hint(given, caller, valid)
  abort_input(sprintf("`%s` is not an argument of %s%s; it takes %s.", given, caller,
                      if (is.null(hint)) "" else sprintf(" (%s)", hint),
                      paste0("`", valid, "`", collapse = ", ")), given)
}

# An argument whose default is the vector of its choices: the first when it was left alone.
one_of <- function(value, choices, arg, theirs = character()) {
  if (identical(value, choices)) choices[1L] else assert_choice(value, choices, arg, theirs)
}
