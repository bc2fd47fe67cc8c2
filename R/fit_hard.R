# From a design and settings to a hard fit: ONE call into C++.

hard_settings <- function(kernel, intercept, scale, solver, control) {
  assert_choice(intercept, intercept_kinds, "intercept")
  assert_flag(scale, "scale")
  assert_control(control)
  row <- find_solver(solver, "hard")
  assert_solver(row, loss_hinge(), intercept, 0)
  list(kernel = kernel, intercept = intercept, scale = scale, solver = row,
       options = complete_options(row, control$solver_options), control = control,
       tol = if (is.null(control$tol)) 1e-9 else control$tol)
}

fit_hard <- function(design, settings) {
  problem <- prepare_problem(design, settings, loss_hinge())
  result <- solve_hard(problem)
  signal_outcome(new_margin_fit("margin_hard", problem, result, function(columns) {
    list(separable = result$solutions[[1L]]$separable)
  }))
}

solve_hard <- function(problem) {
  settings <- problem$settings
  fit_hard_cpp(problem$design$x, problem$response$codes, problem$omega,
               list(intercept = settings$intercept, scale = settings$scale,
                    n_classes = problem$response$n_classes),
               core_control(settings, NULL))
}
