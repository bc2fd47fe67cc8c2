# Of which hard-margin fits the optimum is bounded: src/region/of_hard.h.

assert_certain_hard <- function(fit, caller) {
  why <- if (has_kernel(fit)) {
    "a kernel"
  } else if (length(fit$levels) > 2L) {
    "several classes"
  } else if (!isTRUE(fit$certificate$value[1L] > 0)) {
    "no positive margin"
  }
  if (!is.null(why)) {
    abort_input(sprintf(
      "`fit` is a hard-margin fit with %s, whose optimum margin_certain() does not bound.", why
    ), "fit")
  }
  invisible(fit)
}
