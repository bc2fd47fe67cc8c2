# margin_path(everywhere = eps): points chosen so that every lambda of the range has a certificate.

assert_everywhere <- function(everywhere, lambda, mixture, n_given) {
  assert_number(everywhere, "everywhere", lower = 0, upper = 1,
                remedy = "the largest relative gap at any lambda, as 0.01")
  if (n_given) {
    abort_input("`n_lambda` is given, but `everywhere` chooses the points; leave one of them out.",
                "n_lambda")
  }
  if (length(mixture) != 1L) {
    abort_input(sprintf("`mixture` has %d values, but a path with `everywhere` has one.",
                        length(mixture)), "mixture")
  }
  if (length(lambda) == 1L) {
    abort_input(sprintf(
      "`lambda` is %s, but `everywhere` needs a range: give its two ends, or NULL.",
      show_value(lambda)
    ), "lambda")
  }
}

fit_path_everywhere <- function(design, settings, grid) {
  eps <- grid$everywhere
  refuse_ranks(settings$control, "margin_path(everywhere = )")
  for (name in c(if (!is.null(design$offset)) "offset",
                 if (!is.null(settings$penalty_factor)) "penalty_factor",
                 if (!is.null(settings$lower)) "lower", if (!is.null(settings$upper)) "upper")) {
    abort_input(sprintf(paste(
      "`everywhere` is given beside `%s`, for which the bounds between points are not derived yet;",
      "leave `everywhere` out, or `%s`."
    ), name, name), "everywhere")
  }
  if (identical(settings$multiclass, "auto")) settings$multiclass <- "one_vs_rest"
  problem <- prepare_problem(design, settings)
  if (!class_model(problem)$everywhere) {
    abort_input(sprintf(paste(
      "`everywhere` is given, but multiclass = \"%s\" has no bounds between its points; leave it",
      "out, or use multiclass = \"one_vs_rest\"."
    ), problem$settings$multiclass), "everywhere")
  }
  if (isTRUE(problem$settings$residual)) problem <- held_in_middle(problem, grid)
  problem$settings$tol <- min(settings$tol, eps / 100)
  result <- solve_everywhere(problem, grid, eps)
  points <- data.frame(lambda = result$lambda, mixture = grid$mixture)
  signal_strength(result$solutions, points$lambda, points$mixture, settings$solver$name)
  path <- new_margin_path("linear", problem, points, result)
  path$everywhere <- list(eps = eps, mixture = grid$mixture, classes = result$classes)
  class(path) <- append(class(path), "margin_path_everywhere", 1L)
  signal_everywhere(signal_path_outcome(path, problem))
}

# The one call: all fits, and what they prove of the lambdas between them. See src/along.cpp.
solve_everywhere <- function(problem, grid, eps) {
  settings <- problem$settings
  refuse_checkpoint(settings$control, "margin_path()")
  given <- grid$values
  mixture <- grid$mixture
  relative <- is.null(given)
  # above the first lambda, to be safe from rounding; see path_points()
  from <- if (!relative) max(given) else if (mixture > 0) 1 + 1e-9 else 1
  to <- if (!relative) min(given) else
    from * default_ratio(grid, mixture, has_more_columns(problem))
  result <- in_core(path_everywhere_cpp(
    problem$design$x, problem$response$codes, problem$omega,
    list(loss = settings$loss$name, parameter = settings$loss$parameter, from = from, to = to,
         relative = relative, mixture = mixture, eps = eps, most = most_points,
         intercept = settings$intercept, scale = settings$scale,
         n_classes = problem$response$n_classes),
    core_control(settings, linear_start(problem))
  ))
  if (result$ended) {
    abort_input(sprintf(
      "`everywhere` is %s, for which %s and more are needed, the most are %s; give a larger one.",
      format(eps), count(most_points, "point"), format(most_points, big.mark = ",")
    ), "everywhere")
  }
  in_response_units(result, problem$unit)
}

# One size of the residuals for all lambdas: that of the fit in the middle of their range.
held_in_middle <- function(problem, grid) {
  given <- grid$values
  lambda <- if (!is.null(given)) sqrt(max(given) * min(given)) else
    c(1, sqrt(default_ratio(grid, grid$mixture, has_more_columns(problem))))
  result <- solve_linear(problem, lambda, rep(grid$mixture, length(lambda)),
                         relative = is.null(given), brief = TRUE)
  held_scale(problem, result$solutions[[1L]][[length(lambda)]])
}

signal_everywhere <- function(path) {
  worst <- do.call(pmax, lapply(path$everywhere$classes, `[[`, "worst"))
  missed <- which(!(worst <= path$everywhere$eps))
  if (length(missed) > 0L) {
    i <- missed[which.max(worst[missed])]
    warning(structure(
      class = c("dualmargin_not_certified", "warning", "condition"),
      list(message = sprintf(paste(
        "Not certified everywhere: between neighbouring points at %s (the worst from lambda = %s",
        "to %s) the relative gap is not proven to be at most %s. A larger `everywhere`, or",
        "margin_control(max_epochs = ), may help."
      ), count(length(missed), "place"), format(path$lambda[i + 1L], digits = 4),
      format(path$lambda[i], digits = 4), format(path$everywhere$eps)), call = NULL,
      missed = length(missed))
    ))
  }
  path
}
