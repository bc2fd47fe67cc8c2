#' Fit again with some settings changed
#'
#' Evaluates the call of a fit again, with the arguments given here in the place of its own. For a
#' fit from a formula the second argument changes the formula as in [stats::update.formula()].
#'
#' A fit does not keep its data. They are looked up by the names in the call, where `update()` is
#' called from; where they were given as values and not by name, give them again.
#'
#' @param object A fit.
#' @param formula. Changes to the formula, as in `. ~ . - age`.
#' @param ... Arguments of the fitting function, by name.
#' @param evaluate Evaluate the new call, or only return it?
#' @return A fit, or a call with `evaluate = FALSE`.
#' @section Errors:
#' An error of class `dualmargin_input_error` when the call no longer knows its data, when a formula
#' is given for a fit from a matrix, or when an argument has no name.
#' @examples
#' fit <- margin_linear(mpg ~ wt + hp, data = mtcars, loss = "squared")
#' update(fit, . ~ . + qsec, lambda = 0.1)
#' @export
update.margin_fit <- function(object, formula., ..., evaluate = TRUE) {
  assert_flag(evaluate, "evaluate")
  call <- object$call
  changes <- as.list(match.call(expand.dots = FALSE)$...)
  if (length(changes) > 0L && (is.null(names(changes)) || any(names(changes) == ""))) {
    abort_input("`...` holds a change without a name; give every argument its name.", "...")
  }
  if (!missing(formula.)) {
    if (object$interface != "formula") {
      abort_input("`formula.` was given, but the fit was made from `x` and `y`; change those.",
                  "formula.")
    }
    call$formula <- stats::update(stats::formula(object), formula.)
  }
  for (name in names(changes)) call[[name]] <- changes[[name]]
  lost <- names(call)[vapply(as.list(call), identical, NA, quote(`<data>`))]
  if (length(lost) > 0L) {
    abort_input(sprintf(
      "`%s` was given to the fit as a value, which it does not keep; give it again in update().",
      lost[1L]
    ), lost[1L])
  }
  if (!evaluate) {
    return(call)
  }
  where <- parent.frame()
  for (name in intersect(c("x", "y", "data"), names(call))) {
    tryCatch(eval(call[[name]], where), error = function(condition) {
      abort_input(sprintf("`%s` of the fit was `%s`, which is not found here; give it again.", name,
                          paste(deparse(call[[name]]), collapse = " ")), name)
    })
  }
  eval(call, where)
}
