# Leave-one-out of a kernel fit: what core_removals() is of a linear one. Refits are of the rows as
# the kernel saw them: they do not scale or centre anew.
kernel_removals <- function(fit, x, sets, rule, precision = Inf, effort = "all",
                            coefficients = NULL) {
  frame <- kernel_frame(fit, x)
  if (!is.null(frame$rest)) {
    abort_input(paste(
      "`fit` has sparse rows with columns that are centred implicitly, which a refit without a row",
      "would not be: margin_loo() has no bounds for it; use center = FALSE, or dense rows."
    ), "fit")
  }
  removals_by_products(fit, frame$x, kernel_for_core(fit, frame), rule,
                       asked_of_core(fit, sets, precision, effort, coefficients))
}

removals_by_products <- function(fit, x, kernel, rule, asked) {
  question <- c(question_of_kernel(fit), list(rule = rule, regression = fit$task == "regression"))
  in_core(removal_kernel_cpp(
    in_core_form(x), kernel, question,
    list(intercept = if (question$free) "free" else "none"), refit_control(fit, "kernel"), asked
  ))
}
