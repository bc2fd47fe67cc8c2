# margin_path(family = "robust"): the robust family at many radii, one call into C++ for all.
# Documented in path.R.

robust_path <- function(x, ...) {
  UseMethod("robust_path")
}

#' @exportS3Method
robust_path.matrix <- function(x, y, radius = NULL, n_radius = 20, radius_min_ratio = NULL,
                               norm = c("l1", "l2", "linf"), label_cost = 1, ridge = 0,
                               intercept = "free", scale = TRUE, weights = NULL,
                               class_weights = NULL, solver = "auto",
                               control = margin_control(), ...) {
  assert_nothing_left(list(...), names(formals()), formula_arguments, robust_path_name)
  assert_response_given(missing(y))
  grid <- radius_grid(radius, n_radius, radius_min_ratio, label_cost, !missing(n_radius))
  settings <- robust_settings(norm, 0, label_cost, ridge, intercept, scale, class_weights, solver,
                              control)
  fit_robust_path(design_xy(x, y, weights, robust_path_call(match.call())), settings, grid)
}

#' @exportS3Method
robust_path.Matrix <- robust_path.matrix

#' @exportS3Method
robust_path.data.frame <- robust_path.matrix

#' @exportS3Method
robust_path.formula <- function(formula, data, radius = NULL, n_radius = 20,
                                radius_min_ratio = NULL, norm = c("l1", "l2", "linf"),
                                label_cost = 1, ridge = 0, intercept = "free", scale = TRUE,
                                weights, subset, class_weights = NULL, solver = "auto",
                                control = margin_control(), na.action = getOption("na.action"),
                                contrasts = NULL, sparse = FALSE, ...) {
  assert_nothing_left(list(...), names(formals()), character(), robust_path_name)
  assert_flag(sparse, "sparse")
  grid <- radius_grid(radius, n_radius, radius_min_ratio, label_cost, !missing(n_radius))
  call <- robust_path_call(match.call())
  frame <- model_frame(call, parent.frame())
  known <- if (missing(data)) character() else names(data)
  design <- design_formula(frame, contrasts, sparse, known, call)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  settings <- robust_settings(norm, 0, label_cost, ridge, intercept, scale, class_weights, solver,
                              control)
  fit_robust_path(design, settings, grid)
}

#' @exportS3Method
robust_path.default <- function(x, ...) margin_linear.default(x)

robust_path_name <- "margin_path(family = \"robust\")"

robust_path_call <- function(call) {
  call <- public_call(call, quote(margin_path))
  call$family <- "robust"
  call
}

# The radii that were asked for, or NULL and what makes the sequence.
radius_grid <- function(radius, n_radius, radius_min_ratio, label_cost, n_given) {
  assert_number(n_radius, "n_radius", lower = 0, whole = TRUE, remedy = "the default is 20")
  assert_count(n_radius, most_points, "n_radius", "points")
  if (!is.null(radius_min_ratio)) {
    assert_number(radius_min_ratio, "radius_min_ratio", lower = 0, upper = 1,
                  remedy = "the last radius as a share of the first")
  }
  if (!is.null(radius)) {
    assert_values(radius, "radius", function(v) v >= 0, "finite numbers from 0 on")
    assert_size_of(radius, "radius")
    assert_count(length(radius), most_points, "radius", "points")
    extra <- c(if (n_given) "n_radius", if (!is.null(radius_min_ratio)) "radius_min_ratio")
    if (length(extra) > 0L) {
      abort_input(sprintf("`%s` makes a sequence, but `radius` gives one; leave one of them out.",
                          extra[1L]), extra[1L])
    }
    return(list(values = sort(as.double(radius), decreasing = TRUE), relative = FALSE))
  }
  ratio <- if (is.null(radius_min_ratio)) 1e-3 else radius_min_ratio
  list(values = ratio^seq(0, 1, length.out = n_radius), relative = TRUE)
}

fit_robust_path <- function(design, settings, grid) {
  problem <- prepare_problem(design, settings, "margin_robust()")
  assert_path_memory(length(grid$values), ncol(design$x), problem$response$n_classes, "radius")
  result <- solve_robust(problem, grid$values, relative = grid$relative, brief = TRUE)
  points <- data.frame(radius = result$radius)
  path <- new_margin_path("robust", problem, points, result)
  signal_path_outcome(with_last_scores(path, problem$design$x), problem)
}

#' @exportS3Method
describe_points.margin_path_robust <- function(path, number) {
  settings <- path$settings
  settings$radius <- path$radius[1L]
  lines <- describe_problem.margin_robust(list(settings = settings), 5L)
  replace(lines, "radius", describe_range(path$radius, length(path$radius), number))
}
