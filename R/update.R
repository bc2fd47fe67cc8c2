#' Refit with changed settings
#'
#' Fit a model again with other settings or data. The call of the fit is evaluated again, with the
#' arguments given here instead of its own. For a
#' fit from a formula the second argument changes the formula as in [stats::update.formula()].
#'
#' The settings (loss, penalty, intercept, scaling, class weights, solver, control) are those that
#' the fit recorded, so a variable that held one of them may have changed or gone. Giving `lambda`
#' replaces a `cost`, and the other way round; a fit that had neither takes the default for its new
#' data.
#'
#' With other data (`update(fit, data = new)`) the new fit starts from the old coefficients, where
#' columns and classes are the same; a `control` that is given is taken as it is. That does not change
#' where it ends: the certificate is that of the new problem. [margin_audit()] of the old fit on the
#' new rows says whether it is worth it.
#'
#' A fit does not keep its data. They are looked up by the names in the call, where `update()` is
#' called from, as are `weights` and `subset`; where they were given as values and not by name, give them again.
#'
#' A fit from [margin_calibrate()] is refitted without its calibration, which was made for the old
#' decision values; calibrate the new fit. So is one with a threshold of [margin_threshold()], which a
#' message says.
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
  assert_fit(object, "object")
  changes <- as.list(match.call(expand.dots = FALSE)$...)
  call <- recorded_call(object)
  if (!missing(formula.)) call$formula <- changed_formula(object, formula.)
  call <- update_call(call, NULL, changes, FALSE)
  if (!evaluate) {
    return(call)
  }
  tell_threshold_gone(object, "it was chosen for the old fit; set it again where it holds")
  where <- parent.frame()
  assert_variables_here(call, changes, object$taken, where)
  fit <- evaluate_with_data(started_call(call, object, changes, where), where)
  if (is.null(call$control)) fit$call$control <- NULL
  marked_tuned(fit, object$tuned, changes, object$search)
}

# With other data, from the old coefficients.
started_call <- function(call, fit, changes, where) {
  given <- names(changes)
  data <- any(c("data", "x", "y") %in% given) && !"control" %in% given
  starts <- inherits(fit, c("margin_linear", "margin_robust", "margin_augmented"))
  if (!data || !starts) {
    return(call)
  }
  control <- if (is.null(call$control)) fit$settings$control else
    argument_of_call(call, "control", where)
  if (inherits(control, "margin_control") && is.null(control$start) && is.null(control$ranks)) {
    control$start <- offered_start(fit)
    call$control <- control
  }
  call
}

assert_data_known <- function(call, caller) {
  lost <- names(call)[vapply(as.list(call), identical, NA, quote(`<data>`))]
  if (length(lost) > 0L) {
    abort_input(sprintf(
      "`%s` was given to the fit as a value, which it does not keep; give it again in %s.",
      lost[1L], caller
    ), lost[1L])
  }
}

# A variable of weights or a subset that was one of a function is not the global one of that name.
assert_variables_here <- function(call, changes, taken, where) {
  for (arg in setdiff(intersect(c("weights", "subset"), names(call)), names(changes))) {
    for (name in intersect(all.vars(call[[arg]]), taken$local)) {
      if (!is_local(home_of(name, where))) {
        abort_input(sprintf(paste(
          "`%s` of the fit was `%s`, and %s was a variable of the function that made it, which the fit",
          "does not keep; give `%s` again."
        ), arg, shorten(deparse1(call[[arg]]), 40L), name, arg), arg)
      }
    }
  }
}

# A call whose data may have gone since it was made, or a variable that another argument named.
# Weights and the like of a formula are looked up in the data.
evaluate_with_data <- function(call, where) {
  for (name in intersect(c("formula", "x"), names(call))) {
    call[[name]] <- rebased_formula(call[[name]], where)
  }
  tryCatch(eval(call, where), error = function(condition) {
    data <- intersect(c("x", "y", "data"), names(call))
    others <- setdiff(names(call), c(data, "", if (!is.null(call$formula)) "weights", "subset"))
    for (name in c(data, others)) argument_of_call(call, name, where)
    stop(condition)
  })
}

# The value of an argument.
argument_of_call <- function(call, name, where) {
  tryCatch(eval(call[[name]], where), error = function(condition) {
    abort_input(sprintf("`%s` of the fit was `%s`, which is not found here; give it again.", name,
                        paste(deparse(call[[name]]), collapse = " ")), name)
  })
}

# With what the fit holds; other variables are looked up where update() is called.
changed_formula <- function(fit, change) {
  if (fit$interface != "formula") {
    abort_input("`formula.` was given, but the fit was made from `x` and `y`; change those.",
                "formula.")
  }
  if (!inherits(change, "formula")) {
    abort_input(sprintf("`formula.` is %s, but must be a formula, as in . ~ . - age; name others.",
                        show_value(change)), "formula.")
  }
  formula_with_values(updated_formula(stats::formula(fit), change), environment(fit$terms))
}

# Without attributes. A fit without a response has none to be kept.
updated_formula <- function(formula, change) {
  updated <- stats::update(formula, change)
  if (length(updated) == 3L && identical(updated[[2L]], quote(.))) updated[[2L]] <- NULL
  plain_formula(updated)
}

plain_formula <- function(formula) {
  attributes(formula) <- NULL
  formula
}

# Is an argument of a call what it says wherever and whenever that is evaluated? Names of variables, and
# functions but those of arithmetic and of this package, are not.
is_constant <- function(expression) {
  if (!is.language(expression)) {
    return(TRUE)
  }
  if (!is.call(expression)) {
    return(FALSE)
  }
  head <- expression[[1L]]
  if (is.call(head) && identical(as.character(head[-3L]), c("::", "dualmargin"))) head <- head[[3L]]
  is.symbol(head) && as.character(head) %in% c(constant_functions, getNamespaceExports("dualmargin")) &&
    all(vapply(as.list(expression)[-1L], is_constant, NA))
}
constant_functions <- c("c", "(", "+", "-", "*", "/", "^", ":", "list", "rep", "rep_len", "seq", "seq_len", "exp",
                        "log", "sqrt", "numeric")

# The call with what the fit recorded in the place of settings that name a variable, which may mean
# something else by now. Only the data, weights and subset are left to be looked up.
recorded_call <- function(fit) {
  call <- fit$call
  settings <- fit$settings
  if (!is.null(settings$lambda) && !is.null(fit$weights)) {
    omega <- fit$weights
    if (!is.null(settings$class_weights)) {
      omega <- omega * settings$class_weights[as.integer(fit$response)]
    }
    # with mixup the rows that were added count as well
    total <- if (is.null(fit$total_weight)) sum(omega) else fit$total_weight
    settings$cost <- 1 / (settings$lambda * total)
  }
  settings$loss <- asked_loss(fit)
  settings[names(fit$asked)] <- fit$asked
  for (name in intersect(names(call), names(settings))) {
    if (!is_constant(call[[name]])) call[[name]] <- settings[[name]]
  }
  if (!is.null(call$formula)) call$formula <- recorded_formula(call$formula, fit$terms)
  call
}
