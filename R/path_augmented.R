# margin_path(family = "augmented"): the augmented family at many strengths of a perturbation, one
# call into C++ for all. Documented in path.R.

augmented_path <- function(x, ...) {
  UseMethod("augmented_path")
}

#' @exportS3Method
augmented_path.matrix <- function(x, y, rate = seq(0, 0.5, by = 0.1),
                                  perturbation = perturb_dropout, loss = NULL,
                                  lambda = NULL, mixture = 0, intercept = "penalized",
                                  center = NULL, scale = TRUE, weights = NULL,
                                  class_weights = NULL, solver = "auto",
                                  control = margin_control(), cost = NULL,
                                  response_scale = TRUE, ...) {
  assert_nothing_left(list(...), names(formals()), formula_arguments, augmented_path_name)
  assert_response_given(missing(y))
  points <- perturbation_grid(rate, perturbation)
  settings <- augmented_settings(points$last, loss, lambda, mixture, intercept, center,
                                 scale, class_weights, solver, control, cost, response_scale)
  design <- design_xy(x, y, weights, augmented_path_call(match.call()))
  fit_augmented_path(design, settings, points)
}

#' @exportS3Method
augmented_path.Matrix <- augmented_path.matrix

#' @exportS3Method
augmented_path.data.frame <- augmented_path.matrix

#' @exportS3Method
augmented_path.formula <- function(formula, data, rate = seq(0, 0.5, by = 0.1),
                                   perturbation = perturb_dropout, loss = NULL,
                                   lambda = NULL, mixture = 0, intercept = "penalized",
                                   center = NULL, scale = TRUE, weights, subset,
                                   class_weights = NULL, solver = "auto",
                                   control = margin_control(), cost = NULL,
                                   response_scale = TRUE, na.action = getOption("na.action"),
                                   contrasts = NULL, sparse = FALSE, ...) {
  assert_nothing_left(list(...), names(formals()), character(), augmented_path_name)
  assert_flag(sparse, "sparse")
  points <- perturbation_grid(rate, perturbation)
  call <- augmented_path_call(match.call())
  frame <- model_frame(call, parent.frame())
  known <- if (missing(data)) character() else names(data)
  design <- design_formula(frame, contrasts, sparse, known, call)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  settings <- augmented_settings(points$last, loss, lambda, mixture, intercept, center,
                                 scale, class_weights, solver, control, cost, response_scale)
  fit_augmented_path(design, settings, points)
}

#' @exportS3Method
augmented_path.default <- function(x, ...) margin_linear.default(x)

augmented_path_name <- "margin_path(family = \"augmented\")"

augmented_path_call <- function(call) {
  call <- public_call(call, quote(margin_path))
  call$family <- "augmented"
  call
}

# The perturbation at every rate, in rising order, each solution the start of the next.
perturbation_grid <- function(rate, perturbation) {
  if (!is.function(perturbation)) {
    abort_input(sprintf(paste(
      "`perturbation` is %s, but for a path must be a function of the rate that makes one, such as",
      "perturb_dropout or function(r) perturb_dropout(r) + perturb_rescale(0.2)."
    ), show_value(perturbation)), "perturbation")
  }
  assert_values(rate, "rate", function(v) v >= 0, "finite numbers from 0 on")
  assert_count(length(rate), most_points, "rate", "points")
  rate <- sort(as.double(rate))
  made <- lapply(rate, perturbation)
  lapply(made, assert_perturbation)
  list(rate = rate, made = made, last = made[[length(made)]])
}

fit_augmented_path <- function(design, settings, points) {
  lapply(points$made, assert_perturbation_fits, x = design$x)
  settings$center <- settle_augmented_center(settings$center, points$made, design$sparse)
  assert_dense_l1(settings$solver, settings$mixture, design$x)
  problem <- prepare_problem(design, settings)
  problem$settings$lambda <- resolve_lambda(settings, sum(problem$omega))
  assert_path_memory(length(points$made), ncol(design$x), problem$response$n_classes, "rate")
  result <- solve_augmented(problem, points$made, brief = TRUE)
  path <- new_margin_path("augmented", problem, data.frame(rate = points$rate), result)
  signal_path_outcome(with_last_scores(path, problem$design$x), problem)
}

#' @exportS3Method
describe_points.margin_path_augmented <- function(path, number) {
  rising <- sprintf("%s from %s up to %s", count(length(path$rate), "value"),
                    number(min(path$rate)), number(max(path$rate)))
  lines <- describe_problem.margin_augmented(path, 5L)
  c(rate = if (length(path$rate) == 1L) number(path$rate) else rising,
    replace(lines, "perturbation", paste("at the last,", lines[["perturbation"]])))
}
