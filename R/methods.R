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
#' @param object,formula A fit.
#' @param data Rows to code: a data frame with the variables of the fit, or a matrix with its
#'   columns. A fit holds no rows, so they have to be given.
#' @param ... Further arguments of [stats::model.frame()]; elsewhere an unknown argument is an error.
#' @return
#' * `deviance()`: for the squared loss the weighted sum of squared residuals
#'   \eqn{\sum_i \omega_i (y_i - z_i)^2}{sum w (y - z)^2}, as for [stats::lm()]; for the logistic
#'   loss and two classes \eqn{2 \sum_i \omega_i \log(1 + e^{-y_i z_i})}{2 sum w log(1 + exp(-y
#'   z))}, as for [stats::glm()]. Both of the training rows, without the penalty. `NA` decision
#'   values do not occur.
#' * `model.matrix()`: the columns of `data` as the fit coded its own, on the user's scale, after a
#'   column of ones where `coef()` has an intercept: `model.matrix(fit, data) %*% coef(fit)` are the
#'   decision values, without an offset. A Matrix stays one.
#' * `model.frame()`: the variables of the formula in `data`.
#' * `terms()`: those of the formula; a fit from `x` and `y` has none, which is an error.
#' * `variable.names()`: the names of the features; `case.names()`: those of the training rows with
#'   positive weight, their numbers where they have no names.
#' * `family()`: [stats::gaussian()] for the squared loss, [stats::binomial()] for the logistic loss
#'   and two classes.
#' @section Errors:
#' Of class `dualmargin_input_error`. `sigma()`, `df.residual()`, `logLik()` (hence [stats::AIC()]
#' and [stats::BIC()]), `anova()`, `vcov()` and `confint()` stop: the estimate is penalised, so it
#' does not maximise a likelihood, its degrees of freedom are
#' not the number of coefficients, and it has no sampling distribution that the fit would know. The
#' certificate is about the optimisation and not about the population. `deviance()` and `family()`
#' stop for losses that are no negative log-likelihood. Choose penalties and variables by
#' [margin_cv()], and get intervals of the penalised estimate from [margin_bootstrap()].
#' `simulate()` stops, since a loss is no distribution of the response. `extractAIC()` (hence
#' [stats::step()]), `rstandard()`, `rstudent()`, `hatvalues()`, `cooks.distance()`, `influence()` and
#' `dfbetas()` have no method for these fits, and stop in R's words: what becomes of a fit without a
#' row says [margin_loo()].
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

#' @rdname margin_fit-stats
#' @export
model.frame.margin_fit <- function(formula, data, ...) {
  assert_fit(formula, "formula")
  assert_frame_asked(formula, missing(data))
  NextMethod()
}

#' @rdname margin_path-methods
#' @export
model.frame.margin_path <- function(formula, data, ...) {
  assert_path(formula, "formula")
  assert_frame_asked(formula, missing(data))
  stats::model.frame(formula$terms, data, xlev = formula$xlevels, ...)
}

# R would look for data by the name that it had in the call.
assert_frame_asked <- function(model, absent) {
  if (is.null(model$terms)) {
    abort_input("`formula` is made from `x` and `y` and has no variables; see model.matrix().",
                "formula")
  }
  if (absent) {
    abort_input("`data` is missing; no rows are held, so give them: model.frame(fit, data).", "data")
  }
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

# What fits and results refuse to answer, and what answers it: where the default of a generic of stats
# would answer with NULL or a number that means nothing, and what is asked of every model.

refuse <- function(caller, object, why, arg = "object") {
  stop(structure(
    class = c("dualmargin_input_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf("%s has no answer for a %s: %s.", caller, class(object)[1L], why),
         call = NULL, arg = arg)
  ))
}

# ---- Fits ----

# Without a penalty the estimate is another function's, which has what is asked.
refuse_penalised <- function(caller, fit, why) {
  settings <- fit$settings
  free <- length(fit$levels) < 3L && !is.null(settings$penalty_factor) &&
    all(settings$penalty_factor == 0) && is.null(settings$class_weights)
  twin <- if (free) c(squared = "lm()", logistic = "glm()")[loss_name(fit)] else NA
  refuse(caller, fit, if (is.na(twin)) why else
    sprintf("it is the optimum and no more; without a penalty that is the estimate of %s, which has it", twin))
}

penalised <- paste("the estimate is penalised, so it does not maximise a likelihood and its",
                   "degrees of freedom are not the number of coefficients")

refuse_likelihood <- function(caller, fit) {
  refuse_penalised(caller, fit, paste0(penalised, "; compare models by margin_cv()"))
}

refuse_sampling <- function(caller, fit) {
  of_rows <- "its coefficients are of rows, and the fit knows no sampling distribution of them; "
  refuse_penalised(caller, fit, if (is_oneclass(fit)) {
    paste0(of_rows, "new rows are judged by predict(object, newdata)")
  } else if (inherits(fit, "margin_kernel")) {
    paste0(of_rows, "margin_bootstrap() has intervals of its metrics, and margin_conformal() has ",
           "sets for new responses")
  } else {
    paste("a penalised estimate has no sampling distribution that the fit would know;",
          "margin_bootstrap() has intervals of the penalised estimate")
  })
}

#' @export
sigma.margin_fit <- function(object, ...) refuse_penalised("sigma()", object, penalised)

#' @export
df.residual.margin_fit <- function(object, ...) refuse_penalised("df.residual()", object, penalised)

#' @export
logLik.margin_fit <- function(object, ...) refuse_likelihood("logLik()", object)

#' @export
anova.margin_fit <- function(object, ...) refuse_likelihood("anova()", object)

#' @export
vcov.margin_fit <- function(object, ...) refuse_sampling("vcov()", object)

#' @export
confint.margin_fit <- function(object, parm, level = 0.95, ...) refuse_sampling("confint()", object)

#' @export
simulate.margin_fit <- function(object, nsim = 1, seed = NULL, ...) {
  refuse("simulate()", object, if (is_oneclass(object)) {
    "its rows have no response that could be drawn"
  } else {
    paste("its loss says how a response is judged and not how it is drawn; margin_bootstrap() refits",
          "draws of the rows")
  })
}

# ---- Results that are no fits ----

refuse_result <- function(caller, object) {
  refuse(caller, object, if (inherits(object, c("margin_cv", "margin_tune"))) {
    "it is many fits; ask the one that it keeps, by refit()"
  } else {
    "it is no fit; ask the fit that is wanted"
  })
}

#' @export
coef.margin_result <- function(object, ...) refuse_result("coef()", object)

#' @export
fitted.margin_result <- function(object, ...) refuse_result("fitted()", object)

#' @export
residuals.margin_result <- function(object, ...) refuse_result("residuals()", object)

#' @export
deviance.margin_result <- function(object, ...) refuse_result("deviance()", object)

#' @export
df.residual.margin_result <- function(object, ...) refuse_result("df.residual()", object)

#' @export
weights.margin_result <- function(object, ...) refuse_result("weights()", object)

#' @export
case.names.margin_result <- function(object, ...) refuse_result("case.names()", object)

#' @export
variable.names.margin_result <- function(object, ...) refuse_result("variable.names()", object)
