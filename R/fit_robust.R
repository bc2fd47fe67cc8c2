# From a design and settings to a robust fit: ONE call into C++.

robust_norms <- c("l1", "l2", "linf")
dual_norms <- c(l1 = "linf", l2 = "l2", linf = "l1")

# What a robust problem is, validated.
robust_settings <- function(norm, radius, label_cost, ridge, intercept, scale, class_weights,
                            solver, control) {
  norm <- one_of(norm, robust_norms, "norm")
  if (!is.null(radius)) assert_radius(radius)
  assert_number(label_cost, "label_cost", lower = 0, open = FALSE, infinite = TRUE,
                remedy = "Inf trusts every label, the default is 1")
  assert_size_of(label_cost, "label_cost")
  assert_number(ridge, "ridge", lower = 0, open = FALSE, remedy = "the default 0 adds none")
  assert_size_of(ridge, "ridge")
  own <- list(norm = norm, radius = radius, label_cost = label_cost, ridge = ridge)
  settings <- common_settings("robust", own, intercept, scale, class_weights, solver, control)
  assert_solver(settings$solver, as_loss("hinge"), intercept, 0)
  settings
}

assert_radius <- function(radius) {
  assert_number(radius, "radius", lower = 0, open = FALSE,
                remedy = "0 moves nothing, NULL takes it from the data")
  assert_size_of(radius, "radius")
}

fit_robust <- function(design, settings) {
  problem <- prepare_problem(design, settings, "margin_robust()")
  by_rule <- is.null(settings$radius)
  if (by_rule) problem$settings$radius <- rule_radius(problem)
  result <- solve_robust(problem, problem$settings$radius)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_margin_fit("margin_robust", problem, result, function(columns) {
    c(list(norm_bound = drop(columns("norm_bound")), dual_flip = columns("dual_flip")),
      if (by_rule) list(rule = "profile"))
  }), problem)
}

# The one call. radius: one number, or the points of a path, see src/robust.cpp.
solve_robust <- function(problem, radius, relative = FALSE, brief = FALSE) {
  settings <- problem$settings
  x <- problem$design$x
  codes <- problem$response$codes
  arguments <- list(
    norm = settings$norm, radius = radius, label_cost = settings$label_cost,
    ridge = settings$ridge, relative = relative, brief = brief, intercept = settings$intercept,
    scale = settings$scale, n_classes = problem$response$n_classes
  )
  control <- core_control(settings, robust_start(problem))
  with_checkpoint(settings$control, control, function(control) {
    in_core(fit_robust_cpp(x, codes, problem$omega, arguments, control))
  }, "robust", x, codes, problem$omega, arguments)
}

# Any multipliers for the same labels can be made feasible, whatever the radius.
robust_start <- function(problem) {
  start_of(problem, "robust", function(start) {
    same <- same_labels(start, problem)
    c(start_coefficients(start),
      list(norm_bound = start$norm_bound, alpha = if (same) unname(as.matrix(start$dual)),
           beta = if (same) unname(as.matrix(start$dual_flip))))
  })
}

# ---- Its path, over the radius ----

robust_path <- function(x, y, radius = NULL, n_radius = 20, radius_min_ratio = NULL,
                        norm = c("l1", "l2", "linf"), label_cost = 1, ridge = 0,
                        intercept = "free", scale = TRUE, weights = NULL, class_weights = NULL,
                        solver = "auto", control = margin_control(), ...) {
  assert_response_given(missing(y))
  design <- matrix_design("robust", x, y, weights, match.call(), list(...), path = TRUE)
  grid <- sequence_grid("radius", radius, n_radius, radius_min_ratio, 20L, !missing(n_radius),
                        positive = FALSE)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_robust_path(design, robust_settings(norm, 0, label_cost, ridge, intercept, scale,
                                          class_weights, solver, control), grid)
}

fit_robust_path <- function(design, settings, grid) {
  problem <- prepare_problem(design, settings, "margin_robust()")
  radius <- sequence_values(grid, 1e-3)
  assert_path_memory(length(radius), ncol(design$x), problem$response$n_classes, "radius")
  result <- solve_robust(problem, radius, relative = is.null(grid$values), brief = TRUE)
  path <- new_margin_path("robust", problem, data.frame(radius = result$radius), result)
  signal_path_outcome(path, problem)
}
