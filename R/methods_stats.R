# What the generics of stats ask of a fit beyond coef() and its like: each answers, or stops with
# the reason. A default method of stats would return NULL, or a number that means nothing here.

#' Further generics of stats
#'
#' Functions of \R that call accessors with arguments of their own (`use.fallback`, `env`,
#' `complete`) may do so. Generics that make no sense for a penalised model stop with an
#' explanation; none returns `NULL`.
#'
#' @param object A fit.
#' @param data Rows to code: a data frame with the variables of the fit, or a matrix with its
#'   columns. A fit holds no rows, so they have to be given.
#' @param ... Nothing: unknown arguments are errors.
#' @return
#' * `deviance()`: for the squared loss the weighted sum of squared residuals
#'   \eqn{\sum_i \omega_i (y_i - z_i)^2}{sum w (y - z)^2}, as for [stats::lm()]; for the logistic
#'   loss and two classes \eqn{2 \sum_i \omega_i \log(1 + e^{-y_i z_i})}{2 sum w log(1 + exp(-y
#'   z))}, as for [stats::glm()]. Both of the training rows, without the penalty. `NA` decision
#'   values do not occur.
#' * `model.matrix()`: the columns of `data` as the fit coded its own, on the user's scale, without
#'   a column for the intercept; a Matrix stays one.
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
  coded_rows(object, if (missing(data)) NULL else data)
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

# ---- What is refused, and why ----

refuse <- function(caller, object, why, arg = "object") {
  stop(structure(
    class = c("dualmargin_input_error", "dualmargin_error", "error", "condition"),
    list(message = sprintf("%s has no answer for a %s: %s.", caller, class(object)[1L], why),
         call = NULL, arg = arg)
  ))
}

# By class, then by generic. Registered when the package is loaded, since each is the same one line.
refused_methods <- function() {
  penalized <- paste("the estimate is penalised, so it does not maximise a likelihood and its",
                     "degrees of freedom are not the number of coefficients")
  sampling <- paste("a penalised estimate has no sampling distribution that the fit would know;",
                    "use margin_bootstrap()")
  of_row <- c("rstandard", "rstudent", "hatvalues", "cooks.distance", "influence", "dfbetas")
  choose <- paste0(penalized, "; compare models by margin_cv()")
  rows <- paste("it is no projection of its response, of which a row would have a leverage; what",
                "becomes of the fit without a row says margin_loo()")
  fit <- c(sigma = paste0(penalized, "; sqrt(mean(residuals(fit)^2)) is the training error"),
           df.residual = penalized, logLik = choose, extractAIC = choose, vcov = sampling,
           confint = paste0(sampling, ", whose confint() has intervals of the penalised estimate"),
           anova = choose,
           simulate = paste("its loss says how a response is judged and not how it is drawn;",
                            "margin_bootstrap() refits draws of the rows"),
           stats::setNames(rep(rows, length(of_row)), of_row))
  of_rows <- "its coefficients are of rows, and the fit knows no sampling distribution of them; "
  resampled <- paste0(of_rows, "margin_bootstrap() has intervals of its metrics, and ",
                      "margin_conformal() has sets for new responses")
  numerical <- paste("its intervals hold the exact optimum and say nothing about the population;",
                     "they are coef(), and those of the estimate are margin_bootstrap() of the fit")
  accessors <- c("coef", "fitted", "residuals", "weights", "formula", "nobs", "deviance",
                 "model.matrix", "variable.names", "case.names", "family", "terms", names(fit))
  of_many <- function(why, but = character(), ...) {
    generics <- setdiff(accessors, but)
    c(stats::setNames(rep(why, length(generics)), generics), ...)
  }
  refit <- "it is for the result of margin_cv(); use update()"
  no_fit <- "it holds scores and no fit"
  list(
    margin_fit = c(fit, refit = refit,
                   as.data.frame = "say which table: tidy(), glance() or augment()"),
    margin_kernel = c(vcov = resampled, confint = resampled),
    margin_certain = c(vcov = numerical, confint = numerical),
    margin_oneclass = c(
      sigma = penalized,
      vcov = paste0(of_rows, "new rows are judged by predict(object, newdata)"),
      confint = paste0(of_rows, "new rows are judged by predict(object, newdata)"),
      simulate = "its rows have no response that could be drawn",
      stats::setNames(
        rep(paste("its rows have no response, of which one would have a leverage; the support",
                  "vectors are support_rows()"), length(of_row)), of_row
      ),
      residuals = paste("its rows have no response; the decision values are",
                        "predict(object, type = \"score\")"),
      deviance = paste("its rows have no response and so no likelihood; the value of the objective",
                       "is certificate(fit)$value"),
      family = "its rows have no response, of which a family would be the distribution"
    ),
    margin_path = of_many(
      paste("it is many fits, of which it holds the coefficients alone; fit the point that is",
            "wanted"), c("coef", "nobs", "formula", "variable.names", "terms"), refit = refit
    ),
    margin_cv = of_many(
      paste0(no_fit, "; use refit() first"), "coef",
      augment = paste0(no_fit, "; use augment(refit(cv), newdata = )")
    ),
    margin_nested = of_many(
      paste0(no_fit, "; use refit() of a margin_cv() of all rows"),
      predict = paste0(no_fit, "; predict by refit() of a margin_cv() of all rows"),
      augment = paste0(no_fit, "; use refit() of a margin_cv() of all rows"),
      refit = "its folds choose different settings; use refit() of a margin_cv() of all rows"
    ),
    margin_tune = of_many(
      paste0(no_fit, "; use refit() first"),
      predict = paste0(no_fit, "; use predict(refit(tune), newdata)"),
      augment = paste0(no_fit, "; use augment(refit(tune), newdata = )")
    ),
    margin_bootstrap = of_many(
      "it holds the numbers of refits and no fit; ask the fit that was given", "confint",
      predict = "it holds the numbers of refits and no fit; ask the fit that was given",
      augment = "it holds the numbers of refits and no fit; ask the fit that was given",
      refit = "it chooses no setting; use update() of the fit"
    ),
    model_comparison = of_many(
      paste0(no_fit, "; fit the model that is wanted"), predict = paste0(no_fit, "; fit the model"),
      augment = "it holds no fit; what was predicted for rows held out is x$predictions",
      refit = "it chooses no setting; fit the model that is wanted"
    ),
    margin_comparison = of_many(
      "it compares solvers on one problem; fit with the one wanted",
      predict = "it compares solvers on one problem; its fits are x$fits",
      augment = "it compares solvers on one problem; its fits are x$fits", refit = refit
    )
  )
}

# Where a generic is that is not one of stats.
generic_homes <- c(augment = "generics", refit = "generics", as.data.frame = "base")

register_refusals <- function() {
  table <- refused_methods()
  for (class in names(table)) {
    for (generic in names(table[[class]])) {
      home <- if (generic %in% names(generic_homes)) generic_homes[[generic]] else "stats"
      method <- refusal(paste0(generic, "()"), table[[class]][[generic]])
      registerS3method(generic, class, method, envir = asNamespace(home))
    }
  }
}

refusal <- function(caller, why) {
  force(caller)
  force(why)
  # the generic may call its first argument by another name
  function(object, ...) refuse(caller, if (missing(object)) ..1 else object, why)
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
