# margin_path(family = "kernel"): the kernel family at many lambda, one call into C++ for all, which
# makes the kernel once. Documented in path.R.

kernel_path <- function(x, ...) {
  UseMethod("kernel_path")
}

#' @exportS3Method
kernel_path.matrix <- function(x, y, lambda = NULL, n_lambda = 20, lambda_min_ratio = NULL,
                               kernel = kernel_rbf(), loss = NULL, mixup = NULL,
                               multiclass = "auto", nystrom = NULL, intercept = "free",
                               center = NULL, scale = TRUE, weights = NULL, class_weights = NULL,
                               solver = "auto", control = margin_control(),
                               response_scale = TRUE, ...) {
  assert_nothing_left(list(...), names(formals()), formula_arguments, kernel_path_name)
  assert_response_given(missing(y))
  grid <- path_grid(lambda, n_lambda, lambda_min_ratio, 0, !missing(n_lambda))
  settings <- kernel_settings(kernel, loss, NULL, mixup, multiclass, nystrom, intercept, center,
                              scale, class_weights, solver, control, NULL, missing(scale),
                              response_scale)
  fit_kernel_path(design_xy(x, y, weights, kernel_path_call(match.call())), settings, grid)
}

#' @exportS3Method
kernel_path.Matrix <- kernel_path.matrix

#' @exportS3Method
kernel_path.data.frame <- kernel_path.matrix

#' @exportS3Method
kernel_path.formula <- function(formula, data, lambda = NULL, n_lambda = 20,
                                lambda_min_ratio = NULL, kernel = kernel_rbf(), loss = NULL,
                                mixup = NULL, multiclass = "auto", nystrom = NULL,
                                intercept = "free", center = NULL, scale = TRUE, weights, subset,
                                class_weights = NULL, solver = "auto",
                                control = margin_control(), response_scale = TRUE,
                                na.action = getOption("na.action"),
                                contrasts = NULL, sparse = FALSE, ...) {
  assert_nothing_left(list(...), names(formals()), character(), kernel_path_name)
  assert_flag(sparse, "sparse")
  grid <- path_grid(lambda, n_lambda, lambda_min_ratio, 0, !missing(n_lambda))
  call <- kernel_path_call(match.call())
  frame <- model_frame(call, parent.frame())
  known <- if (missing(data)) character() else names(data)
  design <- design_formula(frame, contrasts, sparse, known, call)
  intercept <- formula_intercept(design, intercept, missing(intercept))
  settings <- kernel_settings(kernel, loss, NULL, mixup, multiclass, nystrom, intercept, center,
                              scale, class_weights, solver, control, NULL, missing(scale),
                              response_scale)
  fit_kernel_path(design, settings, grid)
}

#' @exportS3Method
kernel_path.default <- function(x, ...) margin_linear.default(x)

kernel_path_name <- "margin_path(family = \"kernel\")"

kernel_path_call <- function(call) {
  call <- public_call(call, quote(margin_path))
  call$family <- "kernel"
  call
}

# From where every direction is shrunk to half or less, see src/kernel/path_scale.h, four orders
# down.
fit_kernel_path <- function(design, settings, grid) {
  problem <- prepare_kernel(design, settings)
  relative <- is.null(grid$lambda)
  ratio <- if (is.null(grid$ratio)) 1e-4 else grid$ratio
  lambda <- if (relative) ratio^seq(0, 1, length.out = grid$n) else grid$lambda
  assert_path_memory(length(lambda), length(problem$omega_all), problem$response$n_classes,
                     if (relative) "n_lambda" else "lambda")
  result <- solve_kernel(problem, lambda, relative = relative, brief = TRUE)
  signal_path_outcome(new_kernel_path(problem, data.frame(lambda = result$lambda), result), problem)
}

# Only rows that some point uses are kept.
new_kernel_path <- function(problem, points, result) {
  if (is_isotropic(problem$settings$kernel)) problem$settings$kernel$sigma <- result$sigma
  result$solutions <- class_solutions(result$solutions, problem)
  x <- problem$design$x
  path <- new_margin_path("kernel", problem, points, result,
                          terms = row_names_of(x, problem$mixed))
  used <- sort(unique(unlist(lapply(unlist(result$solutions, recursive = FALSE), `[[`, "place"))))
  keep <- c(if (has_intercept(path)) 1L, used + has_intercept(path))
  rows <- function(all) all[keep, , drop = FALSE]
  path$coefficients <- if (is.list(path$coefficients)) lapply(path$coefficients, rows) else
    rows(path$coefficients)
  path$support <- expansion_rows(x, problem$mixed, used, problem$settings$kernel)
  path$mixed <- problem$mixed
  path$multiclass <- problem$multiclass
  path$bytes <- result$bytes
  with_last_scores(path, x)
}

# The points of a problem of all classes hold all of them at once: a list of points for each class,
# of which all but the coefficients are the same.
class_solutions <- function(solutions, problem) {
  if (!has_joint_classes(problem)) {
    return(solutions)
  }
  lapply(seq_len(problem$response$n_classes), function(k) {
    lapply(solutions[[1L]], function(point) {
      beta <- as.matrix(point$coefficients)[, k]
      point$place <- which(beta != 0)
      point$coefficients <- beta[point$place]
      for (name in intersect(c("intercept", "near"), names(point))) {
        point[[name]] <- point[[name]][min(k, length(point[[name]]))]
      }
      if (k > 1L) point[c("epochs", "steps", "seconds")] <- 0
      point
    })
  })
}

#' @exportS3Method
describe_points.margin_path_kernel <- function(path, number) {
  settings <- path$settings
  c(kernel = format(settings$kernel), loss = format(settings$loss),
    lambda = describe_range(path$lambda, length(path$lambda), number),
    mixup = if (is.null(settings$mixup)) NA_character_ else format(settings$mixup))
}
