# Residuals of a fit, by type. residuals.margin_fit() in methods.R asks here, and the plots.

residual_types <- c("response", "working", "pearson", "deviance")

typed_residuals <- function(fit, type) {
  values <- if (type == "deviance") deviance_residuals(fit) else
    if (fit$task == "regression") regression_residuals(fit, type) else class_residuals(fit, type)
  stats::naresid(fit$na.action, values)
}

regression_residuals <- function(fit, type) {
  residuals <- fit$response - present_scores(fit, fit$scores, "response")
  if (type != "pearson") {
    return(residuals)
  }
  if (loss_name(fit) != "squared") {
    abort_input(sprintf(
      "`type` is \"pearson\", which the %s loss does not have; use \"deviance\" or \"response\".",
      loss_name(fit)
    ), "type")
  }
  sqrt(fit$weights) * residuals
}

# Those of glm(), in terms of the margin, which loses no digits where a probability is near 0 or 1.
class_residuals <- function(fit, type) {
  if (!identical(loss_name(fit), "logistic") || !is_hard_label(fit)) {
    abort_input(paste0(
      "Residuals of type \"", type, "\" need a regression or a fit of two classes by the logistic ",
      "loss, which `object` is not; use predict(object, type = \"score\") for its decision values",
      if (has_deviance_residuals(fit)) ", or type = \"deviance\"" else "", "."
    ), "object")
  }
  side <- 2 * as.integer(fit$response == fit$levels[2L]) - 1
  margin <- side * fit$scores
  side * switch(
    type,
    response = stats::plogis(-margin),
    working = 1 + exp(-margin),
    pearson = sqrt(fit$weights) * exp(-margin / 2)
  )
}

# ---- Of the deviance: the sign of the residual times sqrt(2 w (loss - the least there is)) ----

# A loss, and one for each row: a maximum margin has none, one problem of all classes no sign.
has_deviance_residuals <- function(fit) {
  soft <- inherits(fit$response, "soft_labels")
  !inherits(fit, "margin_hard") &&
    (fit$task == "regression" || fit$task == "classification" && !is_joint(fit) &&
       (!soft || !is.matrix(fit$scores) && identical(loss_name(fit), "logistic")))
}

deviance_residuals <- function(fit) {
  if (!has_deviance_residuals(fit)) {
    abort_input(sprintf(
      "`type` is \"deviance\", but %s and has no residuals; use predict(object, type = \"score\").",
      if (inherits(fit, "margin_hard")) "`object` is a maximum margin without a loss" else
        if (fit$task == "one_class") "`object` is of one class, whose rows have no response," else
        if (inherits(fit$response, "soft_labels")) "`object` has soft labels and another loss" else
          "`object` is one problem of all classes, whose loss has no sign,"
    ), if (inherits(fit, "margin_hard")) "object" else "type")
  }
  if (has_quantiles(fit)) {
    labels <- tau_labels(fit$settings$loss)
    return(vapply(stats::setNames(nm = labels), function(label) {
      deviance_residuals(fit_of_tau(fit, label))
    }, fit$response + 0))
  }
  if (fit$task == "regression") {
    r <- fit$response - fit$scores
    return(sign(r) * sqrt(2 * fit$weights * regression_loss(fit, r)))
  }
  if (inherits(fit$response, "soft_labels")) {
    return(soft_deviance(fit))
  }
  if (!is.matrix(fit$scores)) {
    return(signed_deviance(fit, fit$scores, fit$response == fit$levels[2L]))
  }
  values <- fit$scores
  for (level in fit$levels) {
    values[, level] <- signed_deviance(fit, fit$scores[, level], fit$response == level)
  }
  values
}

# No loss is above 0 at its best decision value for a label of one class.
signed_deviance <- function(fit, scores, own) {
  side <- 2 * own - 1
  side * sqrt(2 * fit$weights * margin_loss_values(fit, side * scores))
}

# The losses of margins, by the loss of the fit; that of a robust fit is the hinge.
margin_loss_values <- function(fit, margin) {
  loss <- fit$settings$loss
  if (is.null(loss)) loss <- as_loss("hinge")
  loss_list[[loss$name]]$margin(margin, unname(loss$parameter))
}

# Labels y between -1 and 1 are a share of (1 + y)/2 of the second class; the least loss is its
# entropy.
soft_deviance <- function(fit) {
  share <- (1 + as.vector(fit$response)) / 2
  z <- fit$scores
  entropy <- function(p) ifelse(p > 0, -p * log(p), 0)
  loss <- -share * stats::plogis(z, log.p = TRUE) - (1 - share) * stats::plogis(-z, log.p = TRUE)
  excess <- pmax(loss - entropy(share) - entropy(1 - share), 0)
  sign(share - stats::plogis(z)) * sqrt(2 * fit$weights * excess)
}

# The losses of residuals in the unit of the response, or its square: s^2 phi(r/s) of those that are
# quadratic at their root, s phi(r/s) of the others. All are 0 where r is.
regression_loss <- function(fit, r) {
  loss <- fit$settings$loss
  row <- loss_list[[loss$name]]
  if (is.null(row$value)) {
    return(if (isTRUE(row$squares)) r^2 / 2 else abs(r))
  }
  size <- unname(loss$parameter)
  huber <- huber_size(fit)
  reach <- if (is.null(huber)) size * unit_of(fit) else huber$delta * huber$scale
  row$value(r, reach, size)
}

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

# What follows from a fit holds the size that it found, and balanced weights of classes. NULL where
# there is neither.
describe_held <- function(x, digits) {
  fold_lines(c(
    if (identical(x$loss$found$unit, "residual")) sprintf(
      "The size of the residuals, which delta counts, is held at that of the fit, %s.",
      format(x$loss$found$scale, digits = digits)
    ),
    if (isTRUE(x$balanced)) "The balanced class weights are held at those of the fit."
  ))
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
