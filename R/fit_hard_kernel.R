# From a design and settings to a hard-margin SVM on a kernel: ONE call into C++, support vectors.

fit_hard_kernel <- function(design, settings) {
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(settle_kernel(settings$kernel, ncol(design$x), nrow(design$x)),
                                   design$x)
  problem <- prepare_hard(design, settings)
  given <- kernel_rows(problem)
  result <- in_core(fit_hard_kernel_cpp(given$x, problem$response$codes, problem$omega,
                                        c(core_hard(problem), list(kernel = given$kernel)),
                                        core_control(settings, NULL)))
  assert_kernel_range(result, settings$kernel)
  if (!is.null(given$scales)) result$scales <- given$scales
  signal_outcome(new_expansion("margin_hard", problem, result, function(columns) {
    c(hard_elements(problem, result), list(bytes = result$bytes))
  }), problem)
}
