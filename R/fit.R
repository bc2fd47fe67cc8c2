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
  if (identical(settings$class_weights, "balanced")) settings$asked$class_weights <- "balanced"
  settings$class_weights <- class_weights
  total <- total_over(ranks, sum(omega))
  assert_some_weight(total)
  unit <- response_unit(settings, response, omega, ranks)
  if (unit == 1 && response$task == "regression" && identical(settings$loss$name, "squared")) {
    naming_response(design$response_name, assert_size_of_squares(response$codes))
  }
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
       # `max_seconds` counts what R does with the data before the core has them
       max_seconds = control$max_seconds,
       elapsed = if (is.null(settings$started)) 0 else seconds_now() - settings$started,
       # the tests count looks at the clock, see src/base/stopwatch.h
       looks = isTRUE(getOption("dualmargin.looks")),
       seed = seed_of_ranks(ranks, core_seed(settings)),
       certify_every_epoch = control$certify_every_epoch, stall = !isFALSE(control$stall),
       progress = control$progress,
       options = settings$options, iterate = iterate_of(settings$options), start = start,
       threads = resolve_threads(control$threads, if (is.null(ranks)) usual_threads() else 1),
       chunk_entries = chunk_entries(), checkpoint = NULL, ranks = ranks_of_core(ranks))
}

# With lambda, and whether it follows the rows: a call may name both it and the cost, one of them NULL.
with_lambda <- function(settings, total_weight) {
  settings$by_cost <- is.null(settings$lambda)
  if (settings$by_cost) settings$lambda <- lambda_of_cost(settings, total_weight)
  settings
}

lambda_of_cost <- function(settings, total_weight) {
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

# What the core returned -> a fit: the only place where a fit object is made.

# The one constructor. `result` is what the core returned; `more`: what only this family has, a
# function of `columns`, which picks an entry of every class problem; `terms`: what the coefficients
# belong to.
new_margin_fit <- function(class, problem, result, more = function(columns) NULL,
                           terms = problem$design$features) {
  design <- problem$design
  response <- problem$response
  settings <- problem$settings
  solutions <- result$solutions
  levels <- if (is.null(response$levels)) tau_labels(settings$loss) else response$levels
  several <- length(solutions) > 1L
  label <- if (several) levels else NA_character_
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
  fit <- new_object(
    list(
      coefficients = assemble_coefficients(solutions, terms, settings, levels),
      certificate = new_answer("certificate", solutions, label, settings$tol,
                               certificate_assumes(settings$kernel, result)),
      trace = new_answer("trace", solutions, label),
      status = new_answer("status", solutions, label),
      scores = columns("scores", rownames(design$x)), response = response$response,
      weights = problem$weights, dual = columns("dual"),
      settings = recorded_settings(settings),
      scales = stats::setNames(result$scales, design$features), response_scale = problem$unit,
      features = design$features, levels = response$levels, response_type = response$type,
      task = response$task, terms = design$terms, xlevels = design$xlevels,
      contrasts = design$contrasts, na.action = design$na.action, sparse = design$sparse,
      interface = design$interface,
      fingerprint = fingerprint_of(design$x, response$response, problem$weights, design$hash),
      call = without_unused(compact_call(design$call), settings$by_cost),
      version = own_version()
    ),
    c(class, "margin_fit")
  )
  # what the rows chose, as it was asked for
  fit$asked <- settings$asked
  fit$taken <- design$taken
  fit$center <- column_centre(result, design$features)
  fit$origin <- fit_origin(result, has_constant(settings))
  fit$response_center <- response_centre(result)
  # a family without a loss has no unit either
  if (!"response_scale" %in% names(settings)) fit$response_scale <- NULL
  fit[names(more(columns))] <- more(columns)
  fit
}

# What a fit keeps of how the core ended: a list for each problem. `$` and `[[` make the table of it.
new_answer <- function(name, solutions, label, tol = NULL, assumes = NULL) {
  structure(list(name = name, solutions = lapply(solutions, `[`, answer_parts[[name]]),
                 label = label, tol = tol, assumes = assumes), class = "margin_answer")
}

answer_parts <- list(
  certificate = c("value", "bound", "gap", "null_value", "status", "separable", "sampled", "square",
                  "norm_limit", "landmarks"),
  trace = c("trace", "status", "epochs", "seconds", "value", "bound", "gap"),
  status = c("status", "rounding_floor", "solver", "epochs", "steps", "seconds")
)

answer_table <- function(answer) {
  solutions <- answer$solutions
  number <- function(name) vapply(solutions, function(s) as.double(s[[name]]), 0)
  text <- function(name) vapply(solutions, function(s) s[[name]], "")
  switch(
    answer$name,
    certificate = new_table(
      kind = vapply(solutions, certificate_kind, ""), class = answer$label, value = number("value"),
      bound = number("bound"), gap = number("gap"),
      relative_gap = relative_gap(number("value"), number("bound"), number("gap"),
                                  number("null_value")),
      tol = answer$tol, certified = text("status") == "certified", assumes = answer$assumes
    ),
    trace = assemble_trace(solutions, answer$label),
    status = new_table(
      class = answer$label, status = text("status"), rounding_floor = number("rounding_floor"),
      solver = text("solver"), epochs = number("epochs"), steps = number("steps"),
      seconds = number("seconds")
    )
  )
}

#' @export
`$.margin_fit` <- function(x, name) {
  value <- .subset2(x, name)
  if (inherits(value, "margin_answer")) answer_table(value) else value
}

#' @export
`[[.margin_fit` <- function(x, i, ...) {
  value <- .subset2(x, i)
  if (inherits(value, "margin_answer")) answer_table(value) else value
}

# How each problem of a fit ended, without the table.
statuses_of <- function(fit) {
  answer <- .subset2(fit, "status")
  if (inherits(answer, "margin_answer")) vapply(answer$solutions, `[[`, "", "status") else
    answer$status
}

# What was subtracted from the columns and from the response as part of the problem; NULL: nothing.
column_centre <- function(result, features) {
  if (!is.null(result$center)) stats::setNames(result$center, features)
}
response_centre <- function(result) if (!is.null(result$level) && result$level != 0) result$level

# A bound that holds for coefficients of limited norm only says so, and certifies nothing; one of an
# approximated kernel says which.
certificate_kind <- function(solution) {
  if (!is.null(solution$separable)) {
    return("margin interval")
  }
  if (!is.null(solution$sampled)) {
    return(if (solution$sampled) "confidence bound" else "gradient bound")
  }
  if (!is.null(solution$square)) {
    return(one_class_kind)
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

# Its value and bound are below 0.
one_class_kind <- "duality gap of one class"

# What a fit remembers of its settings: how it was computed, not the whole fit it started from.
recorded_settings <- function(settings) {
  control <- settings$control
  control[c("start", "checkpoint", "ranks")] <- list(NULL)
  list <- settings[intersect(problem_settings, names(settings))]
  unused <- vapply(list, is.null, NA) & names(list) %in% c("penalty_factor", "lower", "upper")
  list <- list[!unused]
  if (!is.null(list$kernel)) list$kernel <- recorded_kernel(list$kernel)
  c(list, list(intercept = settings$intercept, scale = settings$scale,
               class_weights = settings$class_weights, solver = settings$solver$name,
               control = control, tol = settings$tol))
}

# What defines the problem of a family, beside what all of them have.
problem_settings <- c("loss", "lambda", "nu", "mixture", "response_scale", "norm", "radius", "label_cost",
                      "ridge", "kernel", "mixup", "multiclass", "nystrom", "perturbation",
                      "center", "penalty_factor", "lower", "upper")

# As in src/run/solution.h; a gap that is not a number closes nothing.
relative_gap <- function(value, bound, gap, null_value) {
  size <- pmax(abs(value), abs(bound), 1e-10 * null_value, na.rm = TRUE)
  ifelse(!is.finite(gap), Inf, ifelse(size > 0, gap / size, ifelse(gap > 0, Inf, 0)))
}

assemble_coefficients <- function(solutions, features, settings, levels) {
  if (is.matrix(solutions[[1L]]$coefficients)) {
    s <- solutions[[1L]]
    values <- matrix(s$coefficients, ncol = length(levels), dimnames = list(features, levels))
    return(if (!has_constant(settings)) values else rbind("(Intercept)" = s$intercept, values))
  }
  one <- function(s) {
    # names at the end: c() makes those of its parts anew
    if (!has_constant(settings)) stats::setNames(s$coefficients, features) else
      stats::setNames(c(s$intercept, s$coefficients), c("(Intercept)", features))
  }
  if (length(solutions) == 1L) {
    return(one(solutions[[1L]]))
  }
  all <- vapply(solutions, one, numeric(length(features) + has_constant(settings)))
  all <- matrix(all, ncol = length(solutions), dimnames = list(names(one(solutions[[1L]])), levels))
  all
}

# The certificate ends a trace: in the place of the look that it follows, or after it where it took draws of its
# own. What is not certified may be better than where its run ended.
assemble_trace <- function(solutions, label) {
  solutions <- lapply(solutions, function(s) {
    size <- length(s$trace$epoch)
    if (size == 0L || !isTRUE(is.finite(s$gap))) {
      return(s)
    }
    later <- isTRUE(s$epochs > s$trace$epoch[size]) &&
      isTRUE(abs(s$gap - s$trace$gap[size]) > 1e-6 * abs(s$value))
    end <- c("value", "bound", "gap")
    if (later) s$trace <- lapply(s$trace, function(column) column[c(seq_len(size), size)])
    if (later) s$trace[c("epoch", "seconds")] <- Map(`[<-`, s$trace[c("epoch", "seconds")], size + 1L,
                                                     s[c("epochs", "seconds")])
    if (later || identical(s$status, "certified")) {
      s$trace[end] <- Map(`[<-`, s$trace[end], size + later, s[end])
    }
    s
  })
  rows <- vapply(solutions, function(s) length(s$trace$epoch), 0L)
  if (sum(rows) == 0L) {
    return(NULL)
  }
  number <- function(name) unlist(lapply(solutions, function(s) s$trace[[name]]))
  new_table(class = rep(label, rows), epoch = number("epoch"), seconds = number("seconds"),
            value = number("value"), bound = number("bound"), gap = number("gap"))
}

# As data.frame() has it, of vectors of one length or of one value, without its many looks at them.
new_table <- function(...) {
  columns <- list(...)
  n <- max(lengths(columns))
  short <- lengths(columns) != n
  columns[short] <- lapply(columns[short], rep_len, n)
  attr(columns, "row.names") <- .set_row_names(n)
  class(columns) <- "data.frame"
  columns
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

without_unused <- function(call, by_cost) {
  if (isTRUE(by_cost)) call$lambda <- NULL
  if (isFALSE(by_cost)) call$cost <- NULL
  call
}

# Of this package; packageVersion() reads it from a file.
own_version <- function() getNamespaceVersion("dualmargin")[["version"]]

# Fits on a kernel, of any family: coefficients are those of rows, of which a fit keeps what it
# needs.

# A fit whose coefficients are those of rows, of which it keeps the ones that have any.
new_expansion <- function(class, problem, result, more) {
  settings <- problem$settings
  settings <- with_width(settings, result$sigma)
  problem$settings <- settings
  design <- problem$design
  beta <- lapply(result$solutions, function(s) as.matrix(s$coefficients))
  used <- which(rowSums(do.call(cbind, beta) != 0) > 0)
  terms <- row_names_of(design$x, problem$mixed, used)
  for (k in seq_along(beta)) {
    kept <- beta[[k]][used, , drop = FALSE]
    result$solutions[[k]]$coefficients <- if (ncol(kept) == 1L) drop(kept) else kept
  }
  new_margin_fit(class, problem, result, function(columns) {
    c(list(support = expansion_rows(design$x, problem$mixed, used, settings$kernel)), more(columns))
  }, terms = terms)
}

# The width that a kernel without one has been given by the rows.
with_width <- function(settings, sigma) {
  if (is_isotropic(settings$kernel)) {
    if (is.na(settings$kernel$sigma)) settings$asked$kernel <- settings$kernel
    settings$kernel$sigma <- sigma
  }
  settings
}

row_names_of <- function(x, mixed, used = seq_len(nrow(x) + NROW(mixed))) {
  own <- used[used <= nrow(x)]
  added <- used[used > nrow(x)] - nrow(x)
  c(if (is.null(rownames(x))) as.character(own) else rownames(x)[own],
    if (length(added) > 0L) paste0("mixed", added))
}

# The original rows that an expansion over the rows `used` is made of, and how.
expansion_rows <- function(x, mixed, used, kernel) {
  n <- nrow(x)
  if (kernel$name == "precomputed") {
    return(list(at = used))
  }
  own <- used[used <= n]
  pairs <- mixed[used[used > n] - n, , drop = FALSE]
  first <- c(own, pairs$first)
  second <- c(own, pairs$second)
  needed <- sort(unique(c(first, second)))
  list(x = take_rows(x, needed), first = match(first, needed), second = match(second, needed),
       share = c(numeric(length(own)), pairs$share), at = used)
}
