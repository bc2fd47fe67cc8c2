# How a fit ended: an error, a warning, or nothing to say.

# Numbers that are not numbers are an error; a gap above the tolerance is a warning, once, of the
# worst class.
signal_outcome <- function(fit, problem = NULL) {
  assert_finite_outcome(fit$status, fit)
  # of several ranks none has the rows that a cause shows in
  if (!is.null(problem) && is.null(meeting_of(problem$settings))) {
    fit$cause <- likely_cause(fit, problem)
  }
  if (isFALSE(fit$separable)) {
    warn_not_separable(fit)
  } else if (!all(fit$certificate$certified)) {
    warn_not_certified(fit)
  }
  fit
}

# The family for classes that overlap, on the same columns or kernel.
soft_family <- function(fit) {
  if (is.null(fit$settings$kernel)) "margin_linear" else "margin_kernel"
}

# Not a failure of the solver: what was asked for does not exist.
warn_not_separable <- function(fit) {
  warning(structure(
    class = c("dualmargin_not_separable", "dualmargin_not_certified", "warning", "condition"),
    list(message = sprintf(paste(
      "Not separable: no direction has a positive margin. The proof is weights of the rows whose",
      "weighted sum is zero up to rounding (its length is %s). The best margin seen is %s.",
      "For classes that overlap use %s(loss = \"hinge\")."
    ), format(fit$residual, digits = 2L), format(fit$certificate$value, digits = 3L),
    soft_family(fit)),
    call = NULL, gap = fit$certificate$gap, relative_gap = fit$certificate$relative_gap,
    tol = fit$certificate$tol, status = "not_separable", class = NA_character_,
    residual = fit$residual)
  ))
}

# Coefficients of the user's columns may be beyond double precision where those of the scaled ones
# are not.
assert_finite_outcome <- function(status, fit) {
  broken <- which(status$status == "not_finite")
  slopes <- if (is_linear_oneclass(fit)) oneclass_slopes(fit)
  returned <- list(fit$coefficients, slopes)
  if (length(broken) == 0L && all_finite(returned)) {
    return(invisible())
  }
  class <- c(status$class[broken], NA)[1L]
  # what a run makes of a matrix that is not semidefinite need not be numbers
  unchecked <- any(fit$certificate$assumes != "")
  stop(structure(
    class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
    list(message = paste0(
      "The fit left the range of double precision",
      if (!is.na(class)) sprintf(" for class \"%s\"", class),
      if (unchecked) paste("; perhaps the kernel is not positive semidefinite, which",
                           "check = \"full\" of kernel_precomputed() or kernel_custom() tells.") else
      if (!fit$settings$scale) "; use scale = TRUE or rescale the columns." else
        if (inherits(fit, "margin_hard") || is_oneclass(fit)) "; rescale the columns." else
          sprintf("; rescale the columns or give %s.", larger_penalty(fit))
    ), call = NULL)
  ))
}

# Of vectors and matrices, sparse ones too, in lists of them.
all_finite <- function(numbers) {
  if (is.list(numbers)) return(all(vapply(numbers, all_finite, NA)))
  all(is.finite(if (isS4(numbers)) numbers@x else numbers))
}

# A solver whose convergence hangs on lambda says where: an error below its threshold, a note where
# its theory does not reach. solutions: for each class problem a list of points.
signal_strength <- function(solutions, lambda, mixture, solver) {
  strength <- lambda * (1 - mixture)
  threshold <- max(vapply(solutions, function(points) points[[1L]]$threshold, 0))
  weakest <- which.min(strength)
  refused <- vapply(unlist(solutions, recursive = FALSE), function(s) s$status == "refused", NA)
  slow <- isTRUE(threshold > 0 && strength[weakest] < 4 * threshold)
  if (!slow && !any(refused)) {
    return(invisible())
  }
  of_data <- sprintf("%s (max of weight x |row|^2 / (gamma x sum of weights))",
                     format(threshold, digits = 4))
  shown <- sprintf("lambda (1 - mixture) = %s", format(strength[weakest], digits = 4))
  if (any(refused)) {
    abort_input(sprintf(paste(
      "`lambda` is %s, and %s is not above %s, below which solver \"%s\" diverges on these rows;",
      "use a larger lambda, or solver \"aspdc_i\" or \"auto\"."
    ), format(lambda[weakest], digits = 4), shown, of_data, solver), "lambda")
  }
  inform(sprintf(paste(
    "Solver \"%s\": %s is below 4 times %s, where the rate of its theorem ends; it may be slow."
  ), solver, shown, of_data))
}

# One epoch, or a number of them that may be no whole one.
epochs_words <- function(epochs, digits) {
  paste(format(epochs, digits = digits), if (epochs == 1) "epoch" else "epochs")
}

warn_not_certified <- function(fit) {
  worst <- which.max(fit$certificate$relative_gap)
  row <- fit$certificate[worst, ]
  signal_not_certified("Not certified:", row, fit$status[worst, ], fit)
}

# `place` leads the message; row and status are those of the worst certificate; what else the
# condition should tell comes in `...`.
signal_not_certified <- function(place, row, status, fit, ...,
                                 remedy = remedy_for(status, fit)) {
  message <- sprintf(
    "%s relative gap %s %s tol %s%s (%s after %s). %s%s", place,
    format(row$relative_gap, digits = 3), if (row$relative_gap <= row$tol) "<=" else ">",
    format(row$tol, digits = 3),
    if (is.na(row$class)) "" else if (problem_noun(row$class) == "class")
      sprintf(" for class \"%s\"", row$class) else paste(" for", row$class),
    status$status, epochs_words(status$epochs, 4),
    paste0(undecided_sentence(fit), sought_sentence(row, status)), remedy
  )
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = message, call = NULL, gap = row$gap, relative_gap = row$relative_gap,
         tol = row$tol, status = status$status, class = row$class, ...)
  ))
}

# A margin that is not proved positive, on rows that are not proved inseparable either.
is_undecided <- function(fit) inherits(fit, "margin_hard") && isTRUE(is.na(fit$separable))

undecided_sentence <- function(fit) {
  if (is_undecided(fit)) "Whether any direction separates the rows is undecided. " else ""
}

# Within tol, and not certified: a limit ended the search for what Huber's delta counts.
is_sought <- function(row, status) {
  row$relative_gap <= row$tol & status$status %in% c("max_epochs", "max_seconds")
}

sought_sentence <- function(row, status) {
  if (is_sought(row, status)) {
    "The size of the residuals, which `delta` counts, was not found by then. "
  } else if (status$status == "no_fixed_point") {
    "The size of the residuals, which `delta` counts, is not that of the residuals of the fit. "
  } else ""
}

larger_penalty <- function(fit) {
  if (!takes(fit, "lambda")) "a ridge above 0" else
    if (is.null(fit$call$cost)) "a larger lambda" else "a smaller cost"
}

# Which refuses `stall = FALSE`.
auto_solver <- function(fit) {
  paste0("solver = \"auto\"", if (isFALSE(fit$settings$control$stall)) " without stall = FALSE")
}

# What to try: first against the cause, where one was found.
remedy_for <- function(status, fit) {
  trimws(paste(cause_sentence(fit), remedy_for_status(status, fit)))
}

remedy_for_status <- function(status, fit) {
  if (is_oneclass(fit)) {
    return(remedy_of_oneclass(status, fit))
  }
  limits <- c(max_epochs = "max_epochs", max_seconds = "max_seconds")
  if (status$status %in% names(limits)) {
    return(sprintf("Raise %s in margin_control()%s.", limits[status$status],
                   if (fit$settings$solver != "auto") paste(" or use", auto_solver(fit)) else ""))
  }
  if (status$status == "conditional") {
    return("Without radius and ridge the bound is one of limited norm only; give one of them.")
  }
  if (status$status == "no_fixed_point") {
    return(paste("Give loss_huber() a unit: \"response\", or a number; or give a smaller tol, by which",
                 "residuals are known better."))
  }
  told <- identical(fit$cause$what, "unequal")
  columns <- if (!fit$settings$scale && !told) "scale = TRUE"
  if (is_undecided(fit)) {
    finds <- fit$settings$solver %in% c("auto", "active_set")
    try <- c(if (!finds) paste0(auto_solver(fit), ", which looks for a proof"),
             if (finds) columns,
             if (finds && is.null(fit$cause)) "rows shifted to the origin")
    overlap <- sprintf("or classes that overlap use %s(loss = \"hinge\").", soft_family(fit))
    return(if (length(try) == 0L) paste0("F", overlap) else
      sprintf("Try %s; f%s", paste(try, collapse = " or "), overlap))
  }
  if (status$status == "invalid_bound") {
    return(sprintf(
      "The bound was dropped, since rounding has made it impossible; rescale the columns%s.",
      if (inherits(fit, "margin_hard")) "" else paste(", or give", larger_penalty(fit))
    ))
  }
  if (status$status == "rounding_floor") {
    return(sprintf("Rounding permits a relative gap of about %s here; try %s.",
                   if (is.finite(status$rounding_floor)) format(status$rounding_floor, digits = 2)
                   else "1",
                   paste(c(columns, "a larger tol"), collapse = " or ")))
  }
  other <- if (fit$settings$solver != "auto") auto_solver(fit) else
    if (!inherits(fit, "margin_hard")) larger_penalty(fit)
  sprintf("Try %s.", paste(c(columns, other, "a larger tol"), collapse = " or "))
}

# One warning for many fits. results: a row per fit; what: a noun for them; place: a function of the
# worst row; remedy: a sentence.
signal_fits <- function(results, what, place, remedy) {
  missed <- which(!results$certified)
  if (length(missed) == 0L) {
    return(invisible())
  }
  worst <- results[missed[which.max(results$relative_gap[missed])], ]
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = sprintf(
      "Not certified: %d of %d %s, the worst with a relative gap of %s (%s). %s", length(missed),
      nrow(results), what, format(worst$relative_gap, digits = 3), place(worst), remedy
    ), call = NULL, relative_gap = worst$relative_gap, missed = length(missed))
  ))
}
