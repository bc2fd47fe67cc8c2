# How a fit ended, told to the user: an error, a note, or the warning that it is not certified.

# Numbers that are not numbers are an error; a gap above the tolerance is a warning, once, of the
# worst class.
signal_outcome <- function(fit, thresholds) {
  signal_threshold(fit, thresholds)
  broken <- fit$status$status == "not_finite"
  if (any(broken)) {
    stop(structure(
      class = c("dualmargin_numerical_error", "dualmargin_error", "error", "condition"),
      list(message = paste0(
        "The fit left the range of double precision",
        if (length(broken) > 1L) sprintf(" for class \"%s\"", fit$levels[which(broken)[1L]]),
        if (!fit$settings$scale) "; use scale = TRUE or rescale the columns." else
          "; rescale the columns or raise lambda."
      ), call = NULL)
    ))
  }
  if (!all(fit$certificate$certified)) {
    warn_not_certified(fit)
  }
  fit
}

# A solver whose convergence hangs on lambda says where: an error below its threshold, a note where
# its theory does not reach.
signal_threshold <- function(fit, thresholds) {
  settings <- fit$settings
  strength <- settings$lambda * (1 - settings$mixture)
  threshold <- max(thresholds)
  of_data <- sprintf("%s (max of weight x |row|^2 / (gamma x sum of weights))",
                     format(threshold, digits = 4))
  if (any(fit$status$status == "refused")) {
    abort_input(sprintf(paste(
      "`lambda` is %s, and lambda (1 - mixture) = %s is not above %s, below which solver \"%s\"",
      "diverges on these rows; use a larger lambda, or solver \"aspdc_i\" or \"auto\"."
    ), format(settings$lambda, digits = 4), format(strength, digits = 4), of_data,
    settings$solver), "lambda")
  }
  if (threshold > 0 && strength < 4 * threshold) {
    inform(sprintf(paste(
      "Solver \"%s\": lambda (1 - mixture) = %s is below 4 times %s, where the rate of its theorem",
      "ends; it may be slow."
    ), settings$solver, format(strength, digits = 4), of_data))
  }
}

warn_not_certified <- function(fit) {
  worst <- which.max(fit$certificate$relative_gap)
  row <- fit$certificate[worst, ]
  status <- fit$status[worst, ]
  message <- sprintf(
    "Not certified: relative gap %s > tol %s%s (%s after %s epochs). %s",
    format(row$relative_gap, digits = 3), format(row$tol, digits = 3),
    if (is.na(row$class)) "" else sprintf(" for class \"%s\"", row$class),
    status$status, format(status$epochs, digits = 4), remedy_for(status, fit)
  )
  warning(structure(
    class = c("dualmargin_not_certified", "warning", "condition"),
    list(message = message, call = NULL, gap = row$gap, relative_gap = row$relative_gap,
         tol = row$tol, status = status$status, class = row$class)
  ))
}

remedy_for <- function(status, fit) {
  limits <- c(max_epochs = "max_epochs", max_seconds = "max_seconds")
  if (status$status %in% names(limits)) {
    return(sprintf("Raise %s in margin_control()%s.", limits[status$status],
                   if (fit$settings$solver == "sdca") " or use solver = \"auto\"" else ""))
  }
  columns <- if (!fit$settings$scale) "scale = TRUE"
  if (status$status == "rounding_floor") {
    return(sprintf("Rounding permits a relative gap of about %s here; try %s.",
                   format(status$rounding_floor, digits = 2),
                   paste(c(columns, "a larger tol"), collapse = " or ")))
  }
  other <- if (fit$settings$solver == "auto") "a larger lambda" else "solver = \"auto\""
  sprintf("Try %s.", paste(c(columns, other, "a larger tol"), collapse = " or "))
}
