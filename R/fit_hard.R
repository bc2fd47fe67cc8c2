# From a design and settings to a hard-margin SVM, linear or on a kernel: ONE call into C++.

hard_settings <- function(kernel, intercept, scale, solver, control) {
  if (!is.null(kernel)) kernel <- as_kernel(kernel)
  settings <- common_settings("hard", list(kernel = kernel), intercept, scale, NULL, solver,
                              control, tol = 1e-9)
  assert_unscaled(kernel, scale)
  refuse_checkpoint(control, "margin_hard()")
  if (!is.null(control$start)) {
    abort_input("`start` was given, but no solver of margin_hard() uses one; leave it out.",
                "start")
  }
  assert_solver(settings$solver, as_loss("hinge"), intercept, 0)
  settings
}

fit_hard <- function(design, settings) {
  if (!is.null(settings$kernel)) {
    return(fit_hard_kernel(design, settings))
  }
  problem <- prepare_hard(design, settings)
  result <- in_core(fit_hard_cpp(problem$design$x, problem$response$codes, problem$omega,
                                 core_hard(problem), core_control(settings, NULL)))
  signal_outcome(new_margin_fit("margin_hard", problem, result, function(columns) {
    hard_elements(problem, result)
  }), problem)
}

fit_hard_kernel <- function(design, settings) {
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(
    settle_kernel(settings$kernel, ncol(design$x), nrow(design$x), settings$control$seed), design$x
  )
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

prepare_hard <- function(design, settings) {
  problem <- prepare_problem(design, settings, "margin_hard()")
  if (settings$intercept == "free" && problem$response$n_classes > 1L) {
    naming_response(design$response_name, abort_input(sprintf(paste(
      "`intercept` is \"free\", which margin_hard() has for two classes only, and `y` has %d;",
      "use \"penalized\" or \"none\"."
    ), problem$response$n_classes), "intercept"))
  }
  problem
}

core_hard <- function(problem) {
  settings <- problem$settings
  list(intercept = settings$intercept, scale = settings$scale,
       n_classes = problem$response$n_classes)
}

# What only a hard-margin SVM has.
hard_elements <- function(problem, result) {
  solution <- result$solutions[[1L]]
  list(dual = row_weights(problem, solution$dual), separable = solution$separable,
       residual = solution$residual)
}

# The weights q of the rows of the problem, given to the examples they belong to: for several
# classes a column for each, the weight of the example against that class.
row_weights <- function(problem, q) {
  used <- which(problem$omega > 0)
  k <- problem$response$n_classes
  if (k == 1L) {
    return(replace(numeric(length(problem$omega)), used, q))
  }
  own <- problem$response$codes[used]
  weights <- matrix(0, length(problem$omega), k, dimnames = list(NULL, problem$response$levels))
  pairs <- matrix(q, ncol = k - 1L, byrow = TRUE)
  for (r in seq_len(k - 1L)) weights[cbind(used, r + (r >= own))] <- pairs[, r]
  weights
}
