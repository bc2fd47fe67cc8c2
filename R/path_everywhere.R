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

fit_path_everywhere <- function(design, settings, grid, eps) {
  problem <- prepare_problem(design, settings)
  if (!is.null(joint_model(problem$settings, problem$response))) {
    abort_input(sprintf(paste(
      "`everywhere` is given, but multiclass = \"%s\" has no bounds between its points; leave it",
      "out, or use multiclass = \"one_vs_rest\"."
    ), problem$settings$multiclass), "everywhere")
  }
  loss <- problem$settings$loss
  if (loss$task == "regression") {
    abort_input(sprintf(paste(
      "`everywhere` is given, but has no bounds for the loss \"%s\"; of the losses of a regression",
      "it has for \"squared\" and \"huber\". Leave it out for a path of points."
    ), loss$name), "everywhere")
  }
  if (isTRUE(problem$settings$residual)) problem <- held_in_middle(problem, grid)
  tol <- min(settings$tol, eps / 100)
  problem$settings$tol <- tol
  walk <- everywhere_walk(problem, grid, eps)
  points <- data.frame(lambda = vapply(walk$points, `[[`, 0, "lambda"), mixture = grid$mixture)
  classes <- seq_along(walk$points[[1L]]$solutions)
  result <- list(scales = walk$scales, origin = walk$origin, solutions = lapply(classes, function(k) {
    lapply(walk$points, function(point) point$solutions[[k]])
  }))
  result <- in_response_units(result, problem$unit)
  signal_strength(result$solutions, points$lambda, points$mixture, settings$solver$name)
  path <- new_margin_path("linear", problem, points, result)
  path$everywhere <- kept_of_walk(walk, eps, grid$mixture)
  class(path) <- append(class(path), "margin_path_everywhere", 1L)
  signal_everywhere(signal_path_outcome(path, problem))
}

# One size of the residuals for all lambdas: that of the fit in the middle of their range.
held_in_middle <- function(problem, grid) {
  given <- grid$lambda
  lambda <- if (!is.null(given)) sqrt(max(given) * min(given)) else
    c(1, sqrt(default_ratio(grid, nrow(problem$design$x), ncol(problem$design$x))))
  result <- solve_linear(problem, lambda, rep(grid$mixture, length(lambda)),
                         relative = is.null(given), brief = TRUE)
  held_scale(problem, result$solutions[[1L]][[length(lambda)]])
}

# As the core answers for a path: the coefficients that are not zero, and their places.
brief_solution <- function(solution) {
  solution$place <- which(solution$coefficients != 0)
  solution$coefficients <- solution$coefficients[solution$place]
  solution[c("trace", "scores", "dual")] <- NULL
  solution
}

# One fit; start: solutions of the classes, or NULL. relative: lambda in units of the first of a
# path.
solve_point <- function(problem, lambda, mixture, start, relative = FALSE) {
  settings <- problem$settings
  stack <- function(name) {
    matrix(unlist(lapply(start, `[[`, name)), ncol = length(start))
  }
  from <- if (!is.null(start)) {
    list(coefficients = stack("coefficients"), intercept = stack("intercept"), dual = stack("dual"))
  } else {
    linear_start(problem)
  }
  in_core(fit_linear_cpp(
    problem$design$x, problem$response$codes, problem$omega,
    list(loss = settings$loss$name, parameter = settings$loss$parameter, lambda = lambda,
         mixture = mixture, relative = relative, brief = FALSE, residual = FALSE,
         intercept = settings$intercept,
         scale = settings$scale, n_classes = problem$response$n_classes),
    core_control(settings, from)
  ))
}

# From the top of the range down. A pair of neighbours that has no certificate for all lambdas
# between them gets a point in the middle; the lower one waits until the walk has come to it. The
# length of the next step is foretold from what the last one proved: the gap of constant pieces
# grows with the square of the step, that of a curved chord with the fourth power.
everywhere_walk <- function(problem, grid, eps) {
  mixture <- grid$mixture
  first <- first_point(problem, grid)
  walk <- list(points = list(), pieces = list(), scales = first$scales,
               origin = first$origin)
  rows <- lapply(seq_along(first$point$solutions), function(k) {
    solved_rows(problem, first$scales, k)
  })
  at <- function(lambda, near) {
    result <- solve_point(problem, lambda, mixture, near$solutions)
    new_walk_point(rows, result, lambda)
  }
  top <- new_walk_point(rows, list(solutions = lapply(first$point$solutions, list)), first$lambda)
  end <- first$end
  walk$points[[1L]] <- top
  waiting <- list()
  step <- log((1 + sqrt(eps)) / (1 - sqrt(eps)))
  while (top$lambda > end) {
    if (length(waiting) == 0L) {
      assert_walk_length(length(walk$points), eps)
      low <- max(end, top$lambda * exp(-step))
      if (low < end * (1 + 1e-9)) low <- end
      waiting <- list(at(low, top))
    }
    bottom <- waiting[[1L]]
    pieces <- Map(piece_between, rows, bottom$classes, top$classes, eps)
    worst <- max(vapply(pieces, `[[`, 0, "worst"))
    width <- log(top$lambda / bottom$lambda)
    # the gap of a point itself may be above eps, or rounding may end the walk
    if (worst <= eps || width < 1e-7) {
      walk$points[[length(walk$points)]] <- light_point(top, mixture)
      walk$points <- c(walk$points, list(bottom))
      walk$pieces <- c(walk$pieces, list(pieces))
      grown <- vapply(pieces, function(piece) piece$growth(width), 0)
      step <- clip(min(grown), width / 2, 3 * width)
      top <- bottom
      waiting <- waiting[-1L]
    } else {
      assert_walk_length(length(walk$points) + length(waiting), eps)
      # in the middle, or where the foretold step ends
      foretold <- clip(min(vapply(pieces, function(piece) piece$growth(width), 0)),
                       width / 4, width * 0.75)
      middle <- at(top$lambda * exp(-foretold), top)
      waiting <- c(list(middle), waiting)
    }
  }
  walk$points[[length(walk$points)]] <- light_point(top, mixture)
  walk
}

# What the certificates between the points need, and nothing of the length of the data: numbers of a
# point, and with an l1 part the coefficients and the dual sums of the scaled problem.
light_point <- function(point, mixture) {
  numbers <- c("lambda", "misfit", "loss", "w1", "ww", "we", "ee", "du")
  if (mixture > 0) numbers <- c(numbers, "w", "u", "shares", "misfits")
  list(lambda = point$lambda, solutions = lapply(point$solutions, brief_solution),
       classes = lapply(point$classes, `[`, numbers))
}

assert_walk_length <- function(points, eps) {
  if (points >= most_points) {
    abort_input(sprintf(
      "`everywhere` is %s, for which %s and more are needed, the most are %s; give a larger one.",
      format(eps), count(points, "point"), format(most_points, big.mark = ",")
    ), "everywhere")
  }
}

# The range, and the fit at its upper end.
first_point <- function(problem, grid) {
  given <- grid$lambda
  mixture <- grid$mixture
  if (!is.null(given)) {
    result <- solve_point(problem, max(given), mixture, NULL)
    lambda <- max(given)
    end <- min(given)
  } else {
    result <- solve_point(problem, if (mixture > 0) 1 + 1e-9 else 1, mixture, NULL, TRUE)
    lambda <- result$lambda
    end <- lambda * default_ratio(grid, nrow(problem$design$x), ncol(problem$design$x))
  }
  list(point = list(solutions = lapply(result$solutions, `[[`, 1L)), lambda = lambda, end = end,
       scales = result$scales, origin = result$origin)
}

default_ratio <- function(grid, rows, features) {
  if (!is.null(grid$ratio)) grid$ratio else
    if (grid$mixture == 0) 1e-6 else if (rows < features) 1e-2 else 1e-3
}

new_walk_point <- function(rows, result, lambda) {
  solutions <- lapply(result$solutions, `[[`, 1L)
  list(lambda = lambda, solutions = solutions,
       classes = Map(function(rows, solution) certified_point(rows, solution, lambda), rows,
                     solutions))
}

# What two neighbours prove of all lambdas between them, for one class: the smallest that the
# largest relative gap is known to be, by one of
#   constant: each point as far as it reaches, if the two meet;
#   chord:    the interpolated pair (any loss), or the curved chord (logistic, squared loss).
# growth(width): the step that may come out at eps.
piece_between <- function(rows, lower, upper, eps) {
  mixture <- rows$mixture
  down <- reach_of(upper, mixture, eps, -1)
  up <- reach_of(lower, mixture, eps, 1)
  meet <- !anyNA(c(down, up)) && up >= down
  chord <- chord_between(rows, lower, upper)
  floor <- value_at(lower, lower$lambda, mixture) - gap_at(lower, lower$lambda, mixture)
  relative <- function(gap) if (is.finite(gap) && floor > 0) gap / floor else Inf
  smooth <- relative(largest_curved(chord))
  universal <- if (mixture == 0) relative(largest_universal(chord, lower, upper)) else Inf
  growth <- function(width) {
    # the lower point reaches up about as far as the upper one reaches down
    steps <- if (is.na(down)) width / 2 else 1.9 * log(upper$lambda / down)
    if (is.finite(smooth)) steps <- c(steps, 0.95 * width * (eps / max(smooth, 1e-300))^(1 / 4))
    if (is.finite(universal)) {
      steps <- c(steps, 0.95 * width * (eps / max(universal, 1e-300))^(1 / 2))
    }
    max(steps)
  }
  chord$curved <- chord$curved[setdiff(names(chord$curved), c("factor", "middle"))]
  list(chord = chord, worst = if (meet) eps else min(smooth, universal), growth = growth)
}

kept_of_walk <- function(walk, eps, mixture) {
  classes <- lapply(seq_along(walk$points[[1L]]$classes), function(k) {
    list(points = lapply(walk$points, function(point) point$classes[[k]]),
         chords = lapply(walk$pieces, function(pieces) pieces[[k]]$chord),
         worst = vapply(walk$pieces, function(pieces) pieces[[k]]$worst, 0))
  })
  list(eps = eps, mixture = mixture, classes = classes)
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
