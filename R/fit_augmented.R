# From a design and settings to a fit of perturbed rows: what is possible, ONE call into C++.

# What an augmented problem is, validated; lambda stays NULL or cost until the weights are known.
augmented_settings <- function(perturbation, loss, lambda, mixture, intercept, center, scale,
                               class_weights, solver, control, cost, response_scale = TRUE) {
  perturbation <- as_perturbation(perturbation)
  loss <- named_loss(loss)
  assert_penalty(lambda, cost, mixture)
  assert_center(center)
  assert_flag(response_scale, "response_scale")
  own <- list(perturbation = perturbation, loss = NULL, lambda = lambda, cost = cost,
              mixture = mixture, response_scale = response_scale, center = center)
  settings <- common_settings("augmented", own, intercept, scale, class_weights, solver, control,
                              tol = NULL)
  assert_uniform_if_long(settings)
  settle_loss(settings, loss)
}

# Steps of "sgd" beyond the safe one are for rows drawn uniformly.
assert_uniform_if_long <- function(settings) {
  options <- settings$options
  if (settings$solver$name == "sgd" && options$step > 1 && options$sampling != "uniform") {
    abort_input(sprintf(paste(
      "`step` is %s with `sampling` \"%s\": steps longer than 1 diverge where rows are drawn by",
      "their smoothness; add sampling = \"uniform\" to `solver_options`, or take a step up to 1."
    ), show_value(options$step), options$sampling), "step")
  }
}

# Is the mean of the loss over the perturbation known, or to be drawn?
settle_expectation <- function(settings) {
  row <- settings$solver
  known <- has_closed_form(settings$perturbation, settings$loss)
  if (row$closed_form && !known) {
    abort_input(sprintf(paste(
      "`solver` is \"%s\", which needs the mean of the %s loss over the perturbation %s in closed",
      "form; use \"smiso\", the squared loss, or perturb_gaussian() alone."
    ), row$name, settings$loss$name, format(settings$perturbation)), "solver")
  }
  if (is.null(settings$tol)) settings$tol <- if (known) 1e-6 else 1e-3
  settings
}

# Are column means subtracted? An image that is moved has zeros around it, and what a function of
# the user's does is not known.
settle_augmented_center <- function(center, perturbations, sparse) {
  steps <- unlist(lapply(perturbations, function(one) vapply(one$steps, `[[`, "", "name")))
  fixed <- intersect(c("image", "custom"), steps)
  if (isTRUE(center) && length(fixed) > 0L) {
    abort_input(sprintf(paste(
      "`center` is TRUE, but perturb_%s() is about the values as they are, not about what is left",
      "beside a mean; use center = FALSE."
    ), fixed[1L]), "center")
  }
  if (isTRUE(center) && sparse) {
    abort_input(paste(
      "`center` is TRUE, but `x` is sparse, and centred rows have no zeros that a perturbation",
      "could keep; use center = FALSE, or make `x` dense (as.matrix())."
    ), "center")
  }
  if (is.null(center)) !sparse && length(fixed) == 0L else center
}

fit_augmented <- function(design, settings) {
  assert_perturbation_fits(settings$perturbation, design$x)
  settings$center <- settle_augmented_center(settings$center, list(settings$perturbation),
                                             design$sparse)
  assert_dense_l1(settings$solver, settings$mixture, design$x)
  problem <- prepare_problem(design, settings)
  problem$settings$lambda <- resolve_lambda(settings, sum(problem$omega))
  result <- solve_augmented(problem, list(settings$perturbation))
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_augmented_fit(problem, result), problem)
}

new_augmented_fit <- function(problem, result) {
  levels <- if (length(result$solutions) > 1L) problem$response$levels else NA_character_
  noise <- Map(function(s, class) {
    data.frame(class = class, epoch = s$noise[, 1L], sigma_p2 = s$noise[, 2L],
               sigma_tot2 = s$noise[, 3L])
  }, result$solutions, levels)
  new_margin_fit("margin_augmented", problem, result, function(columns) {
    list(value_se = columns("value_se"), suboptimality = columns("suboptimality"),
         certificate_epochs = columns("certificate_epochs"),
         noise = do.call(rbind, unname(noise)))
  })
}

# The one call. perturbations: one, or the points of a path, see src/augmented.cpp.
solve_augmented <- function(problem, perturbations, brief = FALSE) {
  settings <- problem$settings
  x <- problem$design$x
  codes <- problem$response$codes
  arguments <- list(
    loss = settings$loss$name, parameter = settings$loss$parameter,
    regression = problem$response$task == "regression", lambda = settings$lambda,
    mixture = settings$mixture, perturbations = lapply(perturbations, core_perturbation),
    brief = brief, intercept = settings$intercept, center = settings$center,
    scale = settings$scale, n_classes = problem$response$n_classes
  )
  control <- core_control(settings, augmented_start(problem))
  result <- with_checkpoint(settings$control, control, function(control) {
    in_core(fit_augmented_cpp(x, codes, problem$omega, arguments, control))
  }, "augmented", x, codes, problem$omega, arguments)
  in_response_units(result, problem$unit)
}

augmented_start <- function(problem) {
  start_of(problem, "augmented", function(start) start_coefficients(start, problem$unit))
}

# ---- Its path, over the strength of a perturbation ----

# The perturbation at every rate, in rising order, each solution the start of the next.
augmented_path <- function(x, y, rate = seq(0, 0.5, by = 0.1), perturbation = perturb_dropout,
                           loss = NULL, lambda = NULL, mixture = 0, intercept = "penalized",
                           center = NULL, scale = TRUE, weights = NULL, class_weights = NULL,
                           solver = "auto", control = margin_control(), cost = NULL,
                           response_scale = TRUE, ...) {
  assert_response_given(missing(y))
  design <- matrix_design("augmented", x, y, weights, match.call(), list(...), path = TRUE)
  grid <- augmented_grid(rate, perturbation)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  fit_augmented_path(design, augmented_settings(
    grid$last, loss, lambda, mixture, intercept, center, scale, class_weights, solver, control,
    cost, response_scale
  ), grid)
}

augmented_grid <- function(rate, perturbation) {
  if (!is.function(perturbation)) {
    abort_input(sprintf(paste(
      "`perturbation` is %s, but for a path must be a function of the rate that makes one, such as",
      "perturb_dropout or function(r) perturb_dropout(r) + perturb_rescale(0.2)."
    ), show_value(perturbation)), "perturbation")
  }
  assert_values(rate, "rate", function(v) v >= 0, "finite numbers from 0 on")
  assert_count(length(rate), most_points, "rate", "points")
  rate <- sort(as.double(rate))
  made <- lapply(lapply(rate, perturbation), as_perturbation)
  list(rate = rate, made = made, last = made[[length(made)]])
}

fit_augmented_path <- function(design, settings, grid) {
  lapply(grid$made, assert_perturbation_fits, x = design$x)
  settings$center <- settle_augmented_center(settings$center, grid$made, design$sparse)
  assert_dense_l1(settings$solver, settings$mixture, design$x)
  problem <- prepare_problem(design, settings)
  problem$settings$lambda <- resolve_lambda(settings, sum(problem$omega))
  assert_path_memory(length(grid$made), ncol(design$x), problem$response$n_classes, "rate")
  result <- solve_augmented(problem, grid$made, brief = TRUE)
  path <- new_margin_path("augmented", problem, data.frame(rate = grid$rate), result)
  signal_path_outcome(path, problem)
}

# A perturbation that is made from a rate is tried at several.
tried_rates <- function(arguments) {
  made <- is.null(arguments$perturbation) || is.function(arguments$perturbation)
  if (made) list(rate = seq(0, 0.5, by = 0.1)) else list()
}
