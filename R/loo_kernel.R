# Leave-one-out of a kernel fit: what core_removals() is of a linear one. Refits are of the rows as
# the kernel saw them: they do not scale or centre anew.
kernel_removals <- function(fit, x, sets, rule) {
  frame <- kernel_frame(fit, x)
  if (!is.null(frame$rest)) {
    abort_input(paste(
      "`fit` has sparse rows with columns that are centred implicitly, which a refit without a row",
      "would not be: margin_loo() has no bounds for it; use center = FALSE, or dense rows."
    ), "fit")
  }
  question <- c(question_of_kernel(fit), list(rule = rule, regression = fit$task == "regression"))
  session <- in_core(removal_kernel_cpp(
    in_core_form(frame$x), kernel_for_core(fit, frame), question,
    list(intercept = if (question$free) "free" else "none"), refit_control(fit, "kernel")
  ))
  removals_of_session(fit, session, sets)
}
