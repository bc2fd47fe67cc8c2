# From a design and settings to a fit: checks against the registry and ONE call into C++.

# What a linear problem is, validated; lambda stays NULL or cost until the weights are known, and a
# loss that was not named until the response is.
linear_settings <- function(loss, lambda, mixture, intercept, scale, class_weights, solver, control,
                            cost, response_scale = TRUE, multiclass = "one_vs_rest") {
  assert_choice(multiclass, multiclass_choices, "multiclass", multiclass_aliases)
  loss <- loss_of_classes(loss, multiclass)
  assert_penalty(lambda, cost, mixture)
  assert_intercept(intercept)
  assert_flag(scale, "scale")
  assert_control(control)
  assert_flag(response_scale, "response_scale")
  row <- find_solver(solver, "linear")
  settings <- list(loss = NULL, lambda = lambda, cost = cost, mixture = mixture,
                   response_scale = response_scale, multiclass = multiclass,
                   intercept = intercept, scale = scale,
                   class_weights = class_weights, solver = row,
                   options = complete_options(row, control$solver_options), control = control,
                   tol = if (is.null(control$tol)) 1e-6 else control$tol)
  settle_loss(settings, loss)
}

# What hangs on the loss. NULL, where none is named, stays until code_response() knows the task.
settle_loss <- function(settings, loss) {
  if (is.null(loss)) {
    return(settings)
  }
  settings$loss <- loss
  row <- settings$solver
  if (row$family == "kernel") assert_softmax_loss(settings)
  if (row$family == "linear" && is_joint_choice(settings)) assert_joint_model(settings) else
    assert_solver(row, loss, settings$intercept, settings$mixture)
  if (row$family == "augmented") settle_expectation(settings) else settings
}

# Robust and hard problems have no loss to be named.
settle_task <- function(settings, response) {
  waits <- "loss" %in% names(settings) && is.null(settings$loss)
  if (waits) settle_loss(settings, task_loss(response$task)) else settings
}

# Of a saved fit.
linear_sound <- function(s) list(lambda = is_positive(s$lambda), mixture = is_number(s$mixture))

fit_linear <- function(design, settings) {
  problem <- prepare_problem(design, settings)
  settings <- problem$settings
  settings$lambda <- resolve_lambda(settings, sum(problem$omega))
  result <- solve_linear(problem, settings$lambda, settings$mixture)
  problem <- held_scale(problem, result$solutions[[1L]][[1L]])
  settings$loss <- problem$settings$loss
  signal_strength(result$solutions, settings$lambda, settings$mixture, settings$solver$name)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  problem$settings <- settings
  fit <- new_margin_fit("margin_linear", problem, result, function(columns) {
    if (!is.null(problem$multiclass)) list(multiclass = problem$multiclass)
  })
  signal_outcome(fit, problem)
}

# Response and weights coded and checked against one another. classes_only: as for code_response().
prepare_problem <- function(design, settings, classes_only = NULL,
                            response = design_response(design, settings$loss, classes_only)) {
  n <- nrow(design$x)
  settings <- settle_task(settings, response)
  # what fits one problem of several classes need not fit that of two
  if (is_joint_choice(settings) && response$n_classes == 1L) {
    assert_solver(settings$solver, settings$loss, settings$intercept, settings$mixture)
  }
  assert_columns(settings, n, ncol(design$x))
  assert_class_memory(response$n_classes, n, ncol(design$x))
  if (response$task == "regression") {
    naming_response(design$response_name, assert_size_of_response(response$codes))
  }
  weights <- if (is.null(design$weights)) rep(1, n) else as.double(design$weights)
  assert_weighted_classes(response, weights, "weights")
  class_weights <- naming_response(
    design$response_name, resolve_class_weights(settings$class_weights, response, weights)
  )
  omega <- if (is.null(class_weights)) {
    weights
  } else {
    weights * unname(class_weights)[as.integer(response$response)]
  }
  if (!is.null(class_weights)) assert_total_weight(omega, "class_weights")
  settings$class_weights <- class_weights
  unit <- response_unit(settings, response, omega)
  if (unit != 1) {
    response$codes <- response$codes / unit
    naming_response(design$response_name, assert_size_in_units(response$codes, unit))
  }
  settings <- settle_huber(settings, response, unit)
  list(design = design, response = response, weights = weights, omega = omega,
       settings = settings, unit = unit, multiclass = joint_model(settings, response))
}

design_response <- function(design, loss, classes_only) {
  if (is_rows(design$x)) {
    return(response_of_rows(design$x, loss, classes_only))
  }
  code_response(design$y, loss, nrow(design$x), classes_only, design$response_name)
}

# The one call. lambda and mixture: one point, or the points of a path, see src/linear.cpp.
solve_linear <- function(problem, lambda, mixture, relative = FALSE, brief = FALSE) {
  settings <- problem$settings
  joint <- problem$multiclass
  arguments <- list(
    loss = if (is.null(joint)) settings$loss$name else joint, parameter = settings$loss$parameter,
    lambda = lambda, mixture = mixture, relative = relative, brief = brief,
    residual = isTRUE(settings$residual), intercept = settings$intercept, scale = settings$scale,
    n_classes = problem$response$n_classes
  )
  x <- problem$design$x
  solve <- function(control) {
    if (is_rows(x)) {
      return(solve_rows(problem, arguments, control, joint))
    }
    fit <- if (is.null(joint)) fit_linear_cpp else fit_multiclass_cpp
    in_core(fit(x, problem$response$codes, problem$omega, arguments, control))
  }
  result <- with_checkpoint(
    settings$control, core_control(settings, linear_start(problem)), solve, "linear",
    if (is_rows(x)) mark_of_file(x) else x, problem$response$codes, problem$omega, arguments
  )
  assert_residual_scale(result)
  in_response_units(result, problem$unit)
}

# What every family tells the core about how to compute.
core_control <- function(settings, start) {
  control <- settings$control
  if (isFALSE(control$stall) && settings$solver$name == "auto") {
    abort_input(paste(
      "`stall` is FALSE, but solver \"auto\" goes on to another method where one stalls;",
      "name the solver that is to run on, as in solver = \"sdca\"."
    ), "stall")
  }
  list(solver = settings$solver$name, tol = settings$tol, max_epochs = control$max_epochs,
       max_seconds = control$max_seconds, seed = resolve_seed(control$seed),
       certify_every_epoch = control$certify_every_epoch, stall = !isFALSE(control$stall),
       progress = control$progress,
       options = settings$options, start = start, threads = resolve_threads(control$threads),
       chunk_entries = chunk_entries(), checkpoint = NULL)
}

resolve_lambda <- function(settings, total_weight) {
  if (!is.null(settings$lambda)) {
    return(settings$lambda)
  }
  cost <- if (is.null(settings$cost)) 1 else settings$cost
  lambda <- 1 / (total_weight * cost)
  if (check_size(lambda) > 0L) {
    abort_input(sprintf(paste(
      "`cost` is %s and the weights add up to %s, so lambda = 1/(W cost) is %s, beyond double",
      "precision; give a lambda."
    ), format(cost, digits = 4), format(total_weight, digits = 4), format(lambda, digits = 4)),
    "cost")
  }
  lambda
}

# A fit to start from -> what the core starts from. Its dual point is of use only for the same loss
# and the same labels; elsewhere it might not even be feasible.
linear_start <- function(problem) {
  start <- start_fit(problem$settings)
  if (is.null(start)) {
    return(NULL)
  }
  assert_start(start, "margin_linear", problem$design, problem$response)
  same <- identical(start$settings$loss, problem$settings$loss) &&
    identical(start$multiclass, problem$multiclass) &&
    same_labels(start, problem)
  c(start_coefficients(start, problem$unit),
    list(dual = if (same) unname(as.matrix(start$dual))))
}

start_coefficients <- function(start, unit = 1) {
  coefficients <- coef_matrix(start) / unit
  has <- has_intercept(start)
  list(coefficients = unname(if (has) coefficients[-1L, , drop = FALSE] else coefficients),
       intercept = if (has) unname(coefficients[1L, ]) else numeric(ncol(coefficients)))
}

same_labels <- function(start, problem) {
  identical(unname(start$response), unname(problem$response$response))
}

assert_start <- function(start, class, design, response) {
  if (!inherits(start, class)) {
    family <- sub("margin_", "", class)
    abort_input(sprintf("`start` is a %s fit; a %s fit can only start from a %s fit.",
                        class(start)[1L], family, family), "start")
  }
  if (!identical(start$features, design$features)) {
    abort_input(sprintf("`start` has %d features that are not the %d of this fit; leave it out.",
                        length(start$features), length(design$features)), "start")
  }
  if (!identical(start$levels, response$levels)) {
    abort_input("`start` was fitted to other classes than this fit has; leave it out.", "start")
  }
}

# ---- Its path ----

linear_grid <- function(given) {
  grid <- sequence_grid("lambda", given, 50L, mixture = given$mixture)
  everywhere <- given$everywhere
  if (!is.null(everywhere)) {
    assert_everywhere(everywhere, given$lambda, given$mixture, !was_missing("n_lambda", given))
  }
  c(grid, list(everywhere = everywhere))
}

fit_linear_path <- function(design, settings, grid) {
  if (!is.null(grid$everywhere)) {
    return(fit_path_everywhere(design, settings, grid))
  }
  problem <- prepare_problem(design, settings)
  settings <- problem$settings
  points <- path_points(grid, nrow(design$x), ncol(design$x))
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
  signal_path_outcome(path, problem)
}

describe_linear_points <- function(path, number) {
  mixtures <- unique(path$mixture)
  c(loss = format(path$settings$loss),
    lambda = paste0(describe_range(path$lambda, length(path$lambda) / length(mixtures), number),
                    if (length(mixtures) > 1L) " for each mixture"),
    mixture = paste(vapply(mixtures, number, ""), collapse = ", "))
}
