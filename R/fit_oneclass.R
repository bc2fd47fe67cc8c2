# From rows without a response to a one-class fit: ONE call into C++.

oneclass_settings <- function(nu, kernel, scale, control, scale_is_default = FALSE) {
  assert_number(nu, "nu", remedy = "it is the largest share of outliers")
  if (nu <= 0 || nu > 1) {
    abort_input(sprintf("`nu` is %s, but must be above 0 and at most 1.", show_value(nu)), "nu")
  }
  kernel <- as_kernel(kernel)
  if (kernel$name == "precomputed" && scale_is_default) scale <- FALSE
  own <- list(kernel = kernel, nu = nu, center = FALSE)
  settings <- common_settings("oneclass", own, "free", scale, NULL, "smo", control)
  assert_unscaled(kernel, scale)
  settings
}

fit_oneclass <- function(design, settings) {
  problem <- prepare_oneclass(design, settings)
  result <- solve_oneclass(problem, settings$nu)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  signal_outcome(new_oneclass(problem, result))
}

# One class has two levels, of which the second is the positive one; no row is known to be of
# either.
oneclass_response <- function(response = NULL) {
  list(response = response, levels = c("outlier", "inlier"), type = "factor", task = "one_class",
       n_classes = 1L)
}

# Labels that judge and never train: outlier and inlier, or two classes of which the second is the
# inliers.
oneclass_labels <- function(design) {
  if (is.null(design$y)) {
    return(oneclass_response())
  }
  y <- design$y
  if (!is.numeric(y) && setequal(unique(as.character(y)), c("outlier", "inlier"))) {
    y <- factor(y, c("outlier", "inlier"))
  }
  coded <- code_response(y, as_loss("hinge"), nrow(design$x), "margin_oneclass()",
                         design$response_name)
  if (coded$n_classes > 1L) {
    abort_input(sprintf(paste(
      "`%s` has %d classes, but labels of one class are two, of which the second is the inliers;",
      "make them, as in y == \"normal\"."
    ), design$response_name, length(coded$levels)), "y")
  }
  oneclass_response(factor(c("outlier", "inlier")[as.integer(coded$response)],
                           c("outlier", "inlier")))
}

# The metrics of a cross-validation that names none: with labels how well they are told apart, else
# how far the share outside of rows held out is from nu.
oneclass_metric <- function(task, losses, prob) {
  c(if ("classification" %in% task) "auroc", "nu_distance", "outside")
}

prepare_oneclass <- function(design, settings) {
  n <- nrow(design$x)
  assert_kernel_matrix(settings$kernel, design)
  settings$kernel <- judged_kernel(
    settle_kernel(settings$kernel, ncol(design$x), n, settings$control$seed), design$x
  )
  settings$started <- design$started
  omega <- if (is.null(design$weights)) rep(1, n) else as.double(design$weights)
  assert_total_weight(omega, "weights")
  problem <- list(design = design, settings = settings, response = oneclass_response(),
                  weights = omega, omega = omega, unit = 1)
  problem$kernel_x <- kernel_rows(problem)
  problem
}

# The one call. nu: one number, or the points of a path.
solve_oneclass <- function(problem, nu, brief = FALSE) {
  settings <- problem$settings
  given <- problem$kernel_x
  arguments <- list(kernel = given$kernel, nu = as.double(nu), intercept = "none",
                    scale = settings$scale, brief = brief)
  control <- core_control(settings, oneclass_start(problem))
  result <- with_checkpoint(settings$control, control, function(control) {
    in_core(fit_oneclass_cpp(given$x, problem$omega, arguments, control))
  }, "oneclass", problem$design$x, NULL, problem$omega, arguments)
  assert_kernel_range(result, settings$kernel)
  if (!is.null(given$scales)) result$scales <- given$scales
  result
}

# Weights of rows that are feasible for any nu near that of the start.
oneclass_start <- function(problem) {
  start_of(problem, "oneclass", function(start) {
    if (length(start$dual) == nrow(problem$design$x)) list(dual = as.matrix(unname(start$dual)))
  })
}

new_oneclass <- function(problem, result) {
  fit <- new_expansion("margin_oneclass", problem, result, function(columns) {
    s <- result$solutions[[1L]]
    list(rho = -s$intercept, square = s$square,
         radius = ball_radius(problem$settings$kernel, s$square, -s$intercept),
         boundary = boundary_of_gap(s$gap, s$longest, s$status == "certified"),
         bytes = result$bytes)
  })
  fit$outside <- share_outside(fit)
  fit$on_boundary <- sum(fit$weights > 0 & abs(fit$scores) <= fit$boundary)
  fit
}

# longest: the largest sqrt k(x_i, x_i).
boundary_of_gap <- function(gap, longest, certified) {
  ifelse(certified, 2 * sqrt(pmax(gap, 0)) * longest, 0)
}

# Of the ball of support vector data description: only where all k(x, x) are 1.
ball_radius <- function(kernel, square, rho) {
  if (is_isotropic(kernel)) sqrt(pmax(1 + square - 2 * rho, 0)) else NA_real_
}

# ---- Its path, over nu ----

oneclass_path <- function(x, nu = NULL, n_nu = 20, nu_min_ratio = NULL, kernel = kernel_rbf(),
                          scale = TRUE, weights = NULL, control = margin_control(), ...) {
  design <- matrix_design("oneclass", x, NULL, weights, match.call(), list(...), path = TRUE)
  grid <- oneclass_grid(nu, n_nu, nu_min_ratio, !missing(n_nu))
  fit_oneclass_path(design, oneclass_settings(0.5, kernel, scale, control, missing(scale)), grid)
}

oneclass_grid <- function(nu, n_nu, nu_min_ratio, n_given) {
  grid <- sequence_grid("nu", nu, n_nu, nu_min_ratio, 20L, n_given)
  if (any(grid$values > 1)) {
    abort_input(sprintf("`nu` is %s, but must be above 0 and at most 1.",
                        show_value(max(grid$values))), "nu")
  }
  grid
}

# From a half down. The largest comes first: the weights of its rows are feasible for a smaller nu.
fit_oneclass_path <- function(design, settings, grid) {
  problem <- prepare_oneclass(design, settings)
  nu <- if (is.null(grid$values)) sequence_values(grid, 0.02) / 2 else grid$values
  assert_path_memory(length(nu), length(problem$omega), 1L, "nu")
  result <- solve_oneclass(problem, nu, brief = TRUE)
  points <- result$solutions[[1L]]
  path <- new_kernel_path(problem, data.frame(nu = nu), result, "oneclass")
  number <- function(name) vapply(points, function(s) s[[name]], 0)
  path$square <- number("square")
  path$radius <- ball_radius(problem$settings$kernel, path$square, -number("intercept"))
  path$boundary <- boundary_of_gap(number("gap"), number("longest"), path$certificate$certified)
  signal_path_outcome(path, problem)
}

describe_oneclass_points <- function(path, number) {
  c(kernel = format(path$settings$kernel),
    nu = describe_range(path$nu, length(path$nu), number))
}

# ---- In words ----

oneclass_formula <- function(fit) {
  paste0("\\min_{f,\\,\\rho}\\; \\frac12 \\|f\\|_H^2 - \\rho + \\frac{1}{\\nu W} \\sum_i ",
         "\\omega_i \\max(0,\\, \\rho - f(x_i))")
}
