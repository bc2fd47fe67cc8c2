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
  fit <- new_object(
    list(
      coefficients = assemble_coefficients(solutions, terms, settings, levels),
      certificate = new_table(
        kind = kind, class = label, value = value, bound = bound, gap = gap,
        relative_gap = relative_gap, tol = settings$tol, certified = text("status") == "certified",
        assumes = certificate_assumes(settings$kernel, result)
      ),
      trace = assemble_trace(solutions, label),
      status = new_table(
        class = label, status = text("status"), rounding_floor = number("rounding_floor"),
        solver = text("solver"), epochs = number("epochs"), steps = number("steps"),
        seconds = number("seconds")
      ),
      scores = columns("scores", rownames(design$x)), response = response$response,
      weights = problem$weights, dual = columns("dual"),
      settings = recorded_settings(settings),
      scales = stats::setNames(result$scales, design$features), response_scale = problem$unit,
      features = design$features, levels = response$levels, response_type = response$type,
      task = response$task, terms = design$terms, xlevels = design$xlevels,
      contrasts = design$contrasts, na.action = design$na.action, sparse = design$sparse,
      interface = design$interface,
      fingerprint = fingerprint_of(design$x, response$response, problem$weights),
      call = compact_call(design$call),
      version = own_version()
    ),
    c(class, "margin_fit")
  )
  fit$center <- column_centre(result, design$features)
  fit$origin <- fit_origin(result, has_constant(settings))
  fit$response_center <- response_centre(result)
  # a family without a loss has no unit either
  if (!"response_scale" %in% names(settings)) fit$response_scale <- NULL
  fit[names(more(columns))] <- more(columns)
  fit
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

assemble_trace <- function(solutions, label) {
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

# Of this package; packageVersion() reads it from a file.
own_version <- function() getNamespaceVersion("dualmargin")[["version"]]
