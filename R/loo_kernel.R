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

# A linear fit with a ridge and fewer rows than columns: its coefficients are within the span of its
# rows, whose products are all that is asked for.
is_wide <- function(fit, x) {
  fit$settings$mixture == 0 && ncol(x) > nrow(x) && nrow(x) <= 2000L
}

wide_removals <- function(fit, x, sets, rule, precision) {
  # where a free intercept allows it around their mean, so that products do not cancel
  centre <- if (fit$settings$intercept == "free" && !isS4(x)) colMeans(x)
  scales <- unname(fit$scales)
  x <- if (is.null(centre)) scale_columns(x, scales) else centred_rows(x, centre, scales)$x
  kernel <- c(unclass(as_kernel("linear"))[formula_parameters],
              list(rest = NULL, constant = as.numeric(fit$settings$intercept == "penalized"),
                   divided = any(scales != 1), centred = !is.null(centre),
                   cache_mb = cache_of_fit(fit)))
  removals_by_products(fit, x, kernel, rule, asked_of_core(fit, sets, precision, "all", NULL))
}
