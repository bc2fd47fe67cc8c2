# What the fits of all families share: a problem of design and settings, what the core is told about
# how to compute, and where it starts.

# What every family takes, checked, beside `own`, what only this one has. tol: where none is given.
common_settings <- function(family, own, intercept, scale, class_weights, solver, control,
                            tol = 1e-6) {
  assert_intercept(intercept)
  assert_flag(scale, "scale")
  assert_control(control)
  if (family != "linear") refuse_ranks(control, sprintf("margin_%s()", family))
  row <- find_solver(solver, family)
  c(own, list(intercept = intercept, scale = scale, class_weights = class_weights, solver = row,
              options = complete_options(row, control$solver_options), control = control,
              tol = if (is.null(control$tol)) tol else control$tol))
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

# Response and weights coded and checked against one another. classes_only: as for code_response().
prepare_problem <- function(design, settings, classes_only = NULL,
                            response = design_response(design, settings$loss, classes_only,
                                                       ranks)) {
  ranks <- meeting_of(settings)
  if (!is.null(ranks)) assert_same_on_ranks(ranks, design, settings)
  n <- nrow(design$x)
  settings$started <- design$started
  settings <- settle_multiclass(settle_task(settings, response), response)
  response <- response_less_offset(response, design$offset, settings$loss)
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
  assert_weighted_classes(response, weights, "weights", ranks)
  class_weights <- naming_response(
    design$response_name, resolve_class_weights(settings$class_weights, response, weights, ranks)
  )
  omega <- if (is.null(class_weights)) {
    weights
  } else {
    weights * unname(class_weights)[as.integer(response$response)]
  }
  if (!is.null(class_weights)) assert_total_weight(omega, "class_weights")
  settings$class_weights <- class_weights
  total <- total_over(ranks, sum(omega))
  if (!(total > 0)) {
    abort_input("`weights` are all 0 on all ranks; at least one row must count.", "weights")
  }
  unit <- response_unit(settings, response, omega, ranks)
  if (unit != 1) {
    response$codes <- response$codes / unit
    naming_response(design$response_name, assert_size_in_units(response$codes, unit))
  }
  settings <- settle_huber(settings, response, unit)
  list(design = design, response = response, weights = weights, omega = omega, total = total,
       settings = settings, unit = unit, multiclass = joint_model(settings, response))
}

design_response <- function(design, loss, classes_only, ranks = NULL) {
  if (is_rows(design$x)) {
    return(response_of_ranks(ranks, rows_numbers(design$x)$y, function(codes) {
      response_of_rows(design$x, codes, loss, classes_only)
    }))
  }
  name <- design$response_name
  if (is.null(ranks)) {
    return(code_response(design$y, loss, nrow(design$x), classes_only, name))
  }
  own <- naming_response(name, sound_labels(design$y, nrow(design$x)))
  response_of_ranks(ranks, own, function(y) code_response(y, loss, length(y), classes_only, name))
}

seconds_now <- function() proc.time()[["elapsed"]]
# `max_seconds` counts what R does with the data before the core has them. started: of the call.
seconds_since <- function(started) if (is.null(started)) 0 else seconds_now() - started

# Which point a run returns; solver "auto" and those without iterates have no such option.
iterate_of <- function(options) if (is.null(options$iterate)) "best" else options$iterate

# What every family tells the core about how to compute.
core_control <- function(settings, start) {
  control <- settings$control
  if (isFALSE(control$stall) && settings$solver$name == "auto") {
    abort_input(paste(
      "`stall` is FALSE, but solver \"auto\" goes on to another method where one stalls;",
      "name the solver that is to run on, as in solver = \"sdca\"."
    ), "stall")
  }
  ranks <- meeting_of(settings)
  list(solver = settings$solver$name, tol = settings$tol, max_epochs = control$max_epochs,
       max_seconds = control$max_seconds, elapsed = seconds_since(settings$started),
       # the tests count looks at the clock, see src/base/stopwatch.h
       looks = isTRUE(getOption("dualmargin.looks")),
       seed = seed_of_ranks(ranks, core_seed(settings)),
       certify_every_epoch = control$certify_every_epoch, stall = !isFALSE(control$stall),
       progress = control$progress,
       options = settings$options, iterate = iterate_of(settings$options), start = start,
       threads = resolve_threads(control$threads, if (is.null(ranks)) usual_threads() else 1),
       chunk_entries = chunk_entries(), checkpoint = NULL, ranks = ranks_of_core(ranks))
}

resolve_lambda <- function(settings, total_weight) {
  if (!is.null(settings$lambda)) {
    return(settings$lambda)
  }
  cost <- settings$cost
  if (is.null(cost)) cost <- usual_cost(settings$solver$family, settings$loss)
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

# The cost where neither `lambda` nor `cost` is given. The logistic loss has a quarter of the
# curvature of the squared loss and of a smoothed hinge; a kernel, which does not grow with the
# columns, then held it back more than any other (inst/experiments/defaults.R).
usual_cost <- function(family, loss) if (family == "kernel" && loss$name == "logistic") 4 else 1

# A fit to start from -> what the core starts from, by `make`, a function of it; NULL where there is
# none.
start_of <- function(problem, family, make) {
  start <- start_fit(problem$settings)
  # of an audit, which made it for this problem
  if (is.null(start) || inherits(start, "foreign_start")) {
    return(if (!is.null(start)) unclass(start))
  }
  class <- paste0("margin_", family)
  if (isTRUE(attr(start, "offered")) && !is_start(start, class, problem$design, problem$response)) {
    return(NULL)
  }
  assert_start(start, class, problem$design, problem$response)
  make(start)
}

# A fit that update() starts from where it can: nobody asked for it.
offered_start <- function(fit) structure(fit, offered = TRUE)

is_start <- function(start, class, design, response) {
  inherits(start, class) && identical(start$features, design$features) &&
    identical(start$levels, response$levels)
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
