# Our own fits, on their rows or on others: how far old coefficients are from the optimum of new
# rows under the same settings, with columns and response in the units of the fit.

#' @rdname margin_audit
#' @export
margin_audit.margin_fit <- function(fit, x, y, weights = NULL, newx = NULL, newy = NULL,
                                    tol = 1e-6, control = margin_control(), ...) {
  assert_no_extra("margin_audit()", ...)
  run_audit(fit_mapping(fit, x, if (!missing(y)) y, weights), newx, newy, tol, control)
}

fit_mapping <- function(fit, x, y, weights = NULL) {
  assert_fit(fit, "fit")
  assert_audited_kind(fit)
  if (!is.null(fit$settings$nystrom)) {
    seen <- landmark_rows(fit, x, y, weights)
    mapping <- mapping_of_rows(fit, seen, fit$response, fit$weights)
    mapping$fits <- landmark_fits(fit, mapping)
    mapping$remedy <- "take more landmarks, or nystrom = \"auto\""
    return(mapping)
  }
  design <- design_newdata(fit, x)
  if (is.null(y)) y <- observed_response(fit, x)
  if (is.null(y)) abort_input("`y` is missing; give the response of the rows.", "y")
  if (length(design$na_rows) > 0L) {
    abort_input(sprintf("`x` has missing values in row %d; leave such rows out.",
                        design$na_rows[1L]), "x")
  }
  weights <- if (is.null(weights)) rep(1, nrow(design$x)) else weights
  assert_weights(weights, nrow(design$x))
  mapping_of_rows(fit, design$x, y, weights)
}

mapping_of_rows <- function(fit, seen, y, weights) {
  settings <- fit$settings
  kernel <- settings$kernel
  scales <- if (is.null(kernel)) column_scales(fit) else fit$scales
  center <- if (is.null(fit$center)) 0 * scales else fit$center
  spec <- scaled_columns(TRUE, center, scales)
  seen <- audited_columns(spec, seen)
  levels <- fit$levels
  unit <- if (is.null(fit$response_scale)) 1 else fit$response_scale
  coded <- list(levels = levels, response = if (is.null(levels)) {
    audit_numbers(y, nrow(seen)) / unit
  } else {
    factor(levels[audit_labels(y, levels, nrow(seen))], levels)
  })
  omega <- weights
  if (!is.null(settings$class_weights)) {
    omega <- weights * unname(settings$class_weights)[as.integer(coded$response)]
  }
  by_cost <- is.null(fit$call$lambda)
  lambda <- if (by_cost) 1 / (sum(omega) * fit_cost(fit)) else settings$lambda
  problem <- function(y, levels, joint = NULL) {
    audit_problem(seen, y, settings$loss, lambda, settings$mixture, settings$intercept, omega,
                  penalty_factor = settings$penalty_factor,
                  lower = in_scale(settings$lower, scales, unit),
                  upper = in_scale(settings$upper, scales, unit),
                  kernel = kernel, multiclass = joint, levels = levels)
  }
  mapping <- function(problems, solutions, truth, ...) {
    family <- class(fit)[1L]
    new_mapping(family, sprintf("%s, %s loss", family, format(settings$loss)), problems,
                solutions, if (is.null(levels)) truth * unit else truth, x = seen, levels = levels,
                columns = spec, response = if (unit != 1) list(center = 0, scale = unit),
                assumes = "", remedy = "fit again: update() with these rows", ...)
  }
  coded_mapping(coded, problem, function(k) scaled_solution(fit, k, spec, unit),
                if (class_model(fit)$one_problem) fit$multiclass else "one_vs_rest",
                settings$loss, mapping)
}

# The cost that its lambda was for the weight it had.
fit_cost <- function(fit) 1 / (fit$settings$lambda * sum(fitted_omega(fit)))

fitted_omega <- function(fit) {
  classes <- fit$settings$class_weights
  if (is.null(classes)) fit$weights else fit$weights * unname(classes)[as.integer(fit$response)]
}

in_scale <- function(bound, scales, unit) if (!is.null(bound)) unname(bound * scales / unit)

# Its solution on columns and a response in its own units.
scaled_solution <- function(fit, k, spec, unit) {
  own <- solution_of_fit(fit)
  b <- own$b[k] / unit
  if (!is.null(own$points)) {
    return(list(points = audited_columns(spec, own$points),
                coefficients = own$coefficients[, k, drop = FALSE] / unit, b = b))
  }
  w <- own$w[, k, drop = FALSE]
  list(w = w * spec$scale / unit, b = b + colSums(w * spec$center) / unit)
}

assert_audited_kind <- function(fit) {
  settings <- fit$settings
  kernel <- settings$kernel
  mapped <- inherits(fit, c("margin_linear", "margin_kernel")) &&
    (is.null(kernel) || kernel$name %in% formula_kernels) && is.null(fit$offset) &&
    is.null(taus_of(settings$loss)) && is.null(settings$loss$found) && is.null(settings$mixup) &&
    !inherits(fit$response, "soft_labels")
  if (!mapped) {
    abort_input(sprintf(paste(
      "`fit` is a %s that is not mapped: fits of margin_linear(), and of margin_kernel() by a",
      "kernel of the columns, are, without offset, mixup, several tau, soft labels and a unit of",
      "the residuals."
    ), class(fit)[1L]), "fit")
  }
}
