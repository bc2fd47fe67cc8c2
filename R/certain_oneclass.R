# What is certain about the optimum of a one-class fit: f* is in a ball around f whose squared
# radius is the gap, and rho* between two quantiles (src/region/of_one_class.h).

assert_certain_oneclass <- function(fit, caller) {
  assert_certain_kernel(fit, caller)
  if (sum(kernel_coefficients(fit)) < 0.5) {
    abort_input(sprintf(paste(
      "`fit` is no better than nothing, f = 0, as where the origin lies among the rows: %s has no",
      "region for its optimum; use a kernel of distances, as kernel_rbf()."
    ), caller), "fit")
  }
}

certain_of_oneclass <- function(fit, x) {
  dual <- unname(fit$dual)
  most <- fit$weights / (fit$settings$nu * sum(fit$weights))
  # f is less than that of the dual point where nothing was better: both are near to the optimum
  shrunk <- sum(kernel_coefficients(fit)) < sum(dual) * (1 - 1e-9)
  found <- ask_kernel(certain_oneclass_cpp, fit, list(kernel_frame(fit, x)), list(
    dual = dual, most = most, gap = (1 + shrunk) * fit$certificate$gap, at = fit$support$at
  ))
  new_certain(fit, found)
}
