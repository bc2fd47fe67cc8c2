# In what Huber's delta counts: `unit` of loss_huber(), and what became of it in a fit.

huber_units <- c("residual", "response")

assert_huber_unit <- function(unit) {
  if (is.null(unit)) {
    return(NULL)
  }
  if (is.character(unit)) {
    return(one_of(unit, huber_units, "unit"))
  }
  assert_number(unit, "unit", lower = 0,
                remedy = "or \"residual\", \"response\", or NULL, which is that of the family")
  assert_size_of(unit, "unit")
  as.double(unit)
}

# The loss of the problem in the unit of the response that was solved, `unit` of y: with a delta in
# that unit. `residual`: it is the core that finds its size.
settle_huber <- function(settings, response, unit) {
  loss <- settings$loss
  if (!identical(loss$name, "huber") || response$task != "regression") {
    return(settings)
  }
  linear <- settings$solver$family == "linear"
  asked <- loss$unit
  if (is.null(asked)) {
    asked <- if (linear && settings$response_scale) "residual" else "response"
  }
  if (identical(asked, "residual")) {
    if (!linear) {
      abort_input(sprintf(paste(
        "`unit` of loss_huber() is \"residual\", but %s, which can interpolate, has no size of its",
        "residuals; use unit = \"response\", or a number."
      ), if (settings$solver$family == "kernel") "margin_kernel()" else "margin_augmented()"),
      "unit")
    }
    settings$residual <- TRUE
  } else if (is.numeric(asked)) {
    settings$loss <- huber_at(loss, asked / unit, unit, asked)
  } else if (linear) {
    settings$loss <- huber_at(loss, 1, unit, asked)
  }
  settings
}

# With a delta of `scale`, in the unit of the response. found: what was asked for, and the size that
# delta counts, in the unit of y.
huber_at <- function(loss, scale, unit, asked) {
  at <- loss_huber(loss$parameter[[1L]] * scale, "response")
  at$found <- list(delta = loss$parameter[[1L]], scale = scale * unit, unit = asked)
  at
}

# What the core found, for one point.
held_scale <- function(problem, solution) {
  if (isTRUE(problem$settings$residual)) {
    problem$settings$loss <- huber_at(problem$settings$loss, solution$residual_scale, problem$unit,
                                      "residual")
    problem$settings$residual <- NULL
  }
  problem
}

# For all points of a path, in the unit of y; NULL where nothing was sought.
found_scales <- function(problem, points) {
  if (isTRUE(problem$settings$residual)) {
    vapply(points, function(point) point$residual_scale, 0) * problem$unit
  }
}

assert_residual_scale <- function(result) {
  none <- vapply(result$solutions[[1L]], function(point) identical(point$residual_scale, 0), NA)
  if (any(none)) {
    abort_input(paste(
      "`unit` of loss_huber() is \"residual\", but half of the residuals are 0, which leaves them",
      "no size; use loss_huber(unit = \"response\"), or a number."
    ), "unit")
  }
}

# Huber's loss of a fit as it was asked for: delta, and what delta counts, in the unit of y. NULL
# for other losses and for classes. For a path a number for each point.
huber_size <- function(fit) {
  loss <- fit$settings$loss
  if (!identical(loss$name, "huber") || !identical(fit$task, "regression")) {
    return(NULL)
  }
  if (!is.null(fit$residual_scale)) {
    return(list(delta = loss$parameter[[1L]], scale = fit$residual_scale, unit = "residual"))
  }
  if (!is.null(loss$found)) {
    return(loss$found[c("delta", "scale", "unit")])
  }
  list(delta = loss$parameter[[1L]], scale = unit_of(fit), unit = "response")
}

# The loss to give to a fit of the same problem.
asked_loss <- function(fit) {
  loss <- fit$settings$loss
  linear <- inherits(fit, "margin_linear") && identical(fit$task, "regression")
  if (!identical(loss$name, "huber") || !linear) {
    return(loss)
  }
  size <- huber_size(fit)
  loss_huber(size$delta, size$unit)
}

# What follows from a fit holds the size that it found. NULL for other losses and units.
describe_held <- function(loss, digits) {
  if (identical(loss$found$unit, "residual")) {
    fold_lines(sprintf(
      "The size of the residuals, which delta counts, is held at that of the fit, %s.",
      format(loss$found$scale, digits = digits)
    ))
  }
}

# How many rows Huber's loss holds down; a fit without any is least squares.
describe_beyond <- function(fit, digits) {
  beyond <- if (is.null(fit$beyond)) residuals_beyond(fit) else fit$beyond
  if (is.null(beyond)) {
    return(NA_character_)
  }
  size <- huber_size(fit)
  s <- format(size$scale, digits = digits)
  sprintf("%s of %d beyond delta = %s %s%s", beyond[["beyond"]], beyond[["rows"]],
          format(size$delta, digits = digits),
          switch(if (is.numeric(size$unit)) "given" else size$unit,
                 residual = sprintf("times s = %s, %stheir median size / 0.6745", s,
                                    if (all(fit$certificate$certified)) "" else "sought as "),
                 response = if (size$scale == 1) "" else
                   sprintf("times %s, the spread of the response", s),
                 given = sprintf("times the unit %s", s)),
          if (beyond[["beyond"]] == 0L) ": this is least squares" else "")
}

residuals_beyond <- function(fit) {
  size <- huber_size(fit)
  if (is.null(size) || is.null(fit$scores)) {
    return(NULL)
  }
  used <- fit$weights > 0
  c(beyond = sum(abs(fit$response - fit$scores)[used] > size$delta * size$scale),
    rows = sum(used))
}
