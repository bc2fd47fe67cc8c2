# From a design and settings to a linear fit: checks against the registry and ONE call into C++.

# What a linear problem is, validated; lambda stays NULL or cost until the weights are known, and a
# loss that was not named until the response is.
linear_settings <- function(loss, lambda, mixture, intercept, scale, class_weights, solver, control,
                            cost, response_scale = TRUE, multiclass = "auto",
                            penalty_factor = NULL, lower = NULL, upper = NULL) {
  assert_choice(multiclass, multiclass_choices(), "multiclass", multiclass_aliases)
  loss <- loss_of_classes(loss, multiclass, several = TRUE)
  assert_penalty(lambda, cost, mixture)
  assert_flag(response_scale, "response_scale")
  assert_penalty_factor(penalty_factor)
  assert_bounds(lower, upper)
  own <- list(loss = NULL, lambda = lambda, cost = cost, mixture = mixture,
              response_scale = response_scale, multiclass = multiclass,
              penalty_factor = penalty_factor, lower = lower, upper = upper)
  settle_loss(common_settings("linear", own, intercept, scale, class_weights, solver, control),
              loss)
}

fit_linear <- function(design, settings) {
  problem <- linear_problem(design, settings)
  settings <- problem$settings
  settings$lambda <- resolve_lambda(settings, problem$total)
  several <- !is.null(taus_of(settings$loss))
  if (several) assert_quantiles_possible(problem)
  result <- (if (several) solve_quantiles else solve_linear)(problem, settings$lambda,
                                                             settings$mixture)
  problem <- held_scale(problem, result$solutions[[1L]][[1L]])
  settings$loss <- problem$settings$loss
  signal_strength(result$solutions, settings$lambda, settings$mixture, settings$solver$name)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  if (!is.null(design$offset)) {
    result$solutions <- lapply(result$solutions, function(one) {
      replaced(one, list(scores = one$scores + design$offset))
    })
  }
  problem$settings <- settings
  fit <- new_margin_fit("margin_linear", problem, result, function(columns) {
    c(if (!is.null(problem$multiclass)) list(multiclass = problem$multiclass),
      if (!is.null(design$offset)) list(offset = design$offset))
  })
  ranks <- meeting_of(settings)
  if (!is.null(ranks)) fit$exchanged <- exchanged_so_far(ranks)
  signal_outcome(fit, problem)
}

linear_problem <- function(design, settings, mixture = settings$mixture) {
  settings["penalty_factor"] <- list(matched_factor(settings$penalty_factor, design$features))
  problem <- prepare_problem(design, matched_bounds(settings, design$features))
  assert_offset_possible(problem)
  assert_column_terms(problem, mixture)
  problem
}

# The one call. lambda and mixture: one point, or the points of a path, see src/linear.cpp.
solve_linear <- function(problem, lambda, mixture, relative = FALSE, brief = FALSE,
                         start = linear_start(problem)) {
  settings <- problem$settings
  joint <- problem$multiclass
  ranks <- meeting_of(settings)
  assert_ranks_able(ranks, settings, joint)
  arguments <- list(
    loss = if (is.null(joint)) settings$loss$name else joint, parameter = settings$loss$parameter,
    lambda = lambda, mixture = mixture, relative = relative, brief = brief,
    residual = isTRUE(settings$residual), intercept = settings$intercept, scale = settings$scale,
    n_classes = problem$response$n_classes,
    factor = column_factor(settings$penalty_factor, mixture), offset = core_offset(problem),
    l1_factor = l1_factor(settings$penalty_factor, mixture)
  )
  arguments[c("lower", "upper")] <- bounds_for_core(settings, problem$unit)
  x <- problem$design$x
  solve <- function(control) {
    if (is_rows(x)) {
      return(assert_free_columns(solve_rows(problem, arguments, control, joint), problem))
    }
    fit <- if (is.null(joint)) fit_linear_cpp else fit_multiclass_cpp
    assert_free_columns(in_core(fit(x, problem$response$codes, problem$omega, arguments, control)),
                        problem)
  }
  result <- with_checkpoint(
    settings$control, core_control(settings, start), solve, "linear",
    if (!is_rows(x)) x else if (is.null(ranks)) mark_of_file(x) else x$checksum,
    problem$response$codes, problem$omega, arguments
  )
  result <- with_one_clock(ranks, result)
  assert_residual_scale(result)
  within_bounds(in_response_units(result, problem$unit), settings)
}

# A dual point is of use only for the same loss and the same labels; elsewhere it might not even be
# feasible.
linear_start <- function(problem) {
  start_of(problem, "linear", function(start) {
    start <- start_of_tau(start, problem$settings$loss)
    same <- identical(start$settings$loss, problem$settings$loss) &&
      identical(start$multiclass, problem$multiclass) && same_labels(start, problem) &&
      identical(start$offset, problem$design$offset)
    same <- true_on_all(meeting_of(problem$settings), same)
    c(start_coefficients(start, problem$unit),
      list(dual = if (same) unname(as.matrix(start$dual))))
  })
}

# ---- Its path ----

fit_linear_path <- function(design, settings, grid) {
  assert_one_tau_each(settings$loss)
  problem <- linear_problem(design, settings, grid$mixture)
  settings <- problem$settings
  points <- path_points(grid, has_more_columns(problem))
  assert_path_memory(sum(points$mixture == 0), ncol(design$x), problem$response$n_classes,
                     if (is.null(grid$values)) "n_lambda" else "lambda")
  result <- solve_linear(problem, points$lambda, points$mixture,
                         relative = is.null(grid$values), brief = TRUE)
  points$lambda <- result$lambda
  signal_strength(result$solutions, points$lambda, points$mixture, settings$solver$name)
  result$solutions <- class_solutions(result$solutions, problem)
  path <- new_margin_path("linear", problem, points, result)
  path$residual_scale <- found_scales(problem, result$solutions[[1L]])
  path$multiclass <- problem$multiclass
  if (!is.null(design$offset)) path$offset <- TRUE
  signal_path_outcome(path, problem)
}
