# From a design and settings to a fit: checks against the registry, ONE call into C++, and the only
# place where a fit object is made.

# What a linear problem is, validated; lambda stays NULL or cost until the weights are known.
linear_settings <- function(loss, lambda, mixture, intercept, scale, class_weights, solver, control,
                            cost) {
  loss <- as_loss(loss)
  assert_penalty(lambda, cost, mixture)
  assert_choice(intercept, intercept_kinds, "intercept")
  assert_flag(scale, "scale")
  assert_control(control)
  row <- find_solver(solver, "linear")
  assert_solver(row, loss, intercept, mixture)
  list(loss = loss, lambda = lambda, cost = cost, mixture = mixture, intercept = intercept,
       scale = scale, class_weights = class_weights, solver = row,
       options = complete_options(row, control$solver_options), control = control,
       tol = if (is.null(control$tol)) 1e-6 else control$tol)
}

fit_linear <- function(design, settings) {
  problem <- prepare_problem(design, settings)
  settings <- problem$settings
  settings$lambda <- resolve_lambda(settings, sum(problem$omega))
  result <- solve_linear(problem, settings$lambda, settings$mixture)
  signal_strength(result$solutions, settings$lambda, settings$mixture, settings$solver$name)
  result$solutions <- lapply(result$solutions, `[[`, 1L)
  problem$settings <- settings
  signal_outcome(new_margin_fit("margin_linear", problem, result))
}

# Response and weights coded and checked against one another.
prepare_problem <- function(design, settings, loss = settings$loss,
                            response = code_response(design$y, loss, nrow(design$x))) {
  n <- nrow(design$x)
  assert_columns(settings$solver, ncol(design$x))
  weights <- if (is.null(design$weights)) rep(1, n) else as.double(design$weights)
  assert_weighted_classes(response, weights, "weights")
  class_weights <- resolve_class_weights(settings$class_weights, response, weights)
  omega <- if (is.null(class_weights)) {
    weights
  } else {
    weights * unname(class_weights)[as.integer(response$response)]
  }
  settings$class_weights <- class_weights
  list(design = design, response = response, weights = weights, omega = omega,
       settings = settings)
}

# The one call. lambda and mixture: one point, or the points of a path, see src/linear.cpp.
solve_linear <- function(problem, lambda, mixture, relative = FALSE, brief = FALSE) {
  settings <- problem$settings
  fit_linear_cpp(
    problem$design$x, problem$response$codes, problem$omega,
    list(loss = settings$loss$name, parameter = settings$loss$parameter, lambda = lambda,
         mixture = mixture, relative = relative, brief = brief, intercept = settings$intercept,
         scale = settings$scale, n_classes = problem$response$n_classes),
    core_control(settings, linear_start(problem))
  )
}

# What every family tells the core about how to compute.
core_control <- function(settings, start) {
  control <- settings$control
  list(solver = settings$solver$name, tol = settings$tol, max_epochs = control$max_epochs,
       max_seconds = control$max_seconds, seed = resolve_seed(control$seed),
       certify_every_epoch = control$certify_every_epoch, progress = control$progress,
       options = settings$options, start = start)
}

resolve_lambda <- function(settings, total_weight) {
  if (!is.null(settings$lambda)) {
    return(settings$lambda)
  }
  cost <- if (is.null(settings$cost)) 1 else settings$cost
  1 / (total_weight * cost)
}

# set.seed() rules unless a seed was given, which leaves R's stream alone.
resolve_seed <- function(seed) {
  if (is.null(seed)) sample.int(.Machine$integer.max, 1L) else seed
}

# A fit to start from -> what the core starts from. Its dual point is of use only for the same loss
# and the same labels; elsewhere it might not even be feasible.
linear_start <- function(problem) {
  start <- problem$settings$control$start
  if (is.null(start)) {
    return(NULL)
  }
  assert_start(start, "margin_linear", problem$design, problem$response)
  same <- identical(start$settings$loss, problem$settings$loss) && same_labels(start, problem)
  c(start_coefficients(start), list(dual = if (same) unname(as.matrix(start$dual))))
}

start_coefficients <- function(start) {
  coefficients <- coef_matrix(start)
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

# The one constructor. `result` is what the core returned; `more`: what only this family has, a
# function of `columns`, which picks an entry of every class problem; `terms`: what the coefficients
# belong to.
new_margin_fit <- function(class, problem, result, more = function(columns) NULL,
                           terms = problem$design$features) {
  design <- problem$design
  response <- problem$response
  settings <- problem$settings
  solutions <- result$solutions
  levels <- response$levels
  several <- length(solutions) > 1L
  label <- if (several) levels else NA_character_
  number <- function(name) vapply(solutions, function(s) as.double(s[[name]]), 0)
  text <- function(name) vapply(solutions, function(s) s[[name]], "")
  columns <- function(name, rows = NULL) {
    values <- lapply(solutions, function(s) s[[name]])
    if (is.null(values[[1L]])) {
      return(NULL)
    }
    if (!several && !is.matrix(values[[1L]])) {
      return(stats::setNames(values[[1L]], rows))
    }
    matrix(unlist(values), ncol = if (several) length(values) else ncol(values[[1L]]),
           dimnames = list(rows, levels))
  }
  value <- number("value")
  bound <- number("bound")
  gap <- number("gap")
  relative_gap <- relative_gap(value, bound, gap, number("null_value"))
  kind <- vapply(solutions, certificate_kind, "")
  fit <- structure(
    list(
      coefficients = assemble_coefficients(solutions, terms, settings, levels),
      certificate = data.frame(
        kind = kind, class = label, value = value, bound = bound, gap = gap,
        relative_gap = relative_gap, tol = settings$tol,
        certified = relative_gap <= settings$tol & certifies(kind)
      ),
      trace = assemble_trace(solutions, label),
      status = data.frame(
        class = label, status = text("status"), rounding_floor = number("rounding_floor"),
        solver = text("solver"), epochs = number("epochs"), steps = number("steps"),
        seconds = number("seconds")
      ),
      scores = columns("scores", rownames(design$x)), response = response$response,
      weights = problem$weights, dual = columns("dual"),
      settings = recorded_settings(settings),
      scales = stats::setNames(result$scales, design$features), features = design$features,
      levels = levels, response_type = response$type, task = response$task,
      terms = design$terms, xlevels = design$xlevels, contrasts = design$contrasts,
      na.action = design$na.action, sparse = design$sparse, interface = design$interface,
      call = compact_call(design$call)
    ),
    class = c(class, "margin_fit")
  )
  fit[names(more(columns))] <- more(columns)
  fit
}

# A bound that holds for coefficients of limited norm only says so, and certifies nothing; one of an
# approximated kernel says which.
certificate_kind <- function(solution) {
  if (!is.null(solution$separable)) {
    return("margin interval")
  }
  if (!is.null(solution$sampled)) {
    return(if (solution$sampled) "confidence bound" else "gradient bound")
  }
  limit <- solution$norm_limit
  if (!is.null(solution$landmarks)) {
    return(sprintf("duality gap (Nystrom, %d landmarks)", as.integer(solution$landmarks)))
  }
  if (is.null(limit) || is.infinite(limit)) {
    return("duality gap")
  }
  sprintf("duality gap on norm <= %s", format(limit, digits = 4))
}

certifies <- function(kind) !startsWith(kind, "duality gap on norm")

# What a fit remembers of its settings: how it was computed, not the whole fit it started from.
recorded_settings <- function(settings) {
  control <- settings$control
  control["start"] <- list(NULL)
  list <- settings[intersect(problem_settings, names(settings))]
  c(list, list(intercept = settings$intercept, scale = settings$scale,
               class_weights = settings$class_weights, solver = settings$solver$name,
               control = control, tol = settings$tol))
}

# What defines the problem of a family, beside what all of them have.
problem_settings <- c("loss", "lambda", "mixture", "norm", "radius", "label_cost", "ridge",
                      "kernel", "mixup", "multiclass", "nystrom", "perturbation")

relative_gap <- function(value, bound, gap, null_value) {
  size <- pmax(abs(value), abs(bound), 1e-10 * null_value)
  ifelse(size > 0, gap / size, ifelse(gap > 0, Inf, 0))
}

assemble_coefficients <- function(solutions, features, settings, levels) {
  if (is.matrix(solutions[[1L]]$coefficients)) {
    s <- solutions[[1L]]
    values <- matrix(s$coefficients, ncol = length(levels), dimnames = list(features, levels))
    return(if (settings$intercept == "none") values else rbind("(Intercept)" = s$intercept, values))
  }
  one <- function(s) {
    values <- stats::setNames(s$coefficients, features)
    if (settings$intercept == "none") values else c("(Intercept)" = s$intercept, values)
  }
  if (length(solutions) == 1L) {
    return(one(solutions[[1L]]))
  }
  all <- vapply(solutions, one, numeric(length(features) + (settings$intercept != "none")))
  all <- matrix(all, ncol = length(solutions), dimnames = list(names(one(solutions[[1L]])), levels))
  all
}

assemble_trace <- function(solutions, label) {
  rows <- Map(function(s, class) {
    if (length(s$trace$epoch) > 0L) cbind(class = class, as.data.frame(s$trace))
  }, solutions, label)
  do.call(rbind, rows)
}

# Values above 1 kB that do.call() put into the call would carry the data into every saved fit, and
# a formula its environment. Expressions stay as the user wrote them, however long, for update().
compact_call <- function(call) {
  for (i in seq_along(call)[-1L]) {
    if (is.call(call[[i]])) {
      attributes(call[[i]]) <- NULL
      call[[i]] <- compact_call(call[[i]])
    } else if (!is.symbol(call[[i]]) && utils::object.size(call[[i]]) > 1000) {
      call[[i]] <- quote(`<data>`)
    }
  }
  call
}
