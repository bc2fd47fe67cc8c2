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

penalized <- paste("the estimate is penalised, so it does not maximise a likelihood and its",
                   "degrees of freedom are not the number of coefficients")

refuse_likelihood <- function(caller, fit) {
  refuse(caller, fit, paste0(penalized, "; compare models by margin_cv()"))
}

refuse_sampling <- function(caller, fit) {
  refuse(caller, fit, paste0(
    "a penalised estimate has no sampling distribution that the fit would know",
    if (!is_oneclass(fit)) "; margin_bootstrap() has intervals of the penalised estimate"
  ))
}

#' @export
sigma.margin_fit <- function(object, ...) refuse("sigma()", object, penalized)

#' @export
df.residual.margin_fit <- function(object, ...) refuse("df.residual()", object, penalized)

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
  refuse("simulate()", object, "its loss says how a response is judged and not how it is drawn")
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
