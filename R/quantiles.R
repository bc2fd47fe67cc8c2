# Several quantiles in one fit: a problem for each tau, on the same rows, as one-vs-rest has one for
# each class.

# The loss of several tau; its `parameter` holds them in rising order.
loss_quantiles <- function(tau) {
  assert_values(tau, "tau", function(v) v > 0 & v < 1, "numbers strictly between 0 and 1")
  for (one in tau) assert_size_of(one, "tau")
  taus <- sort(as.double(tau))
  new_loss("quantile", stats::setNames(taus, rep("tau", length(taus))))
}

# The tau of a loss of several, NULL of any other.
taus_of <- function(loss) {
  taus <- if (is.list(loss)) loss$parameter
  if (length(taus) > 1L) unname(taus)
}

# What their problems are called: names of columns, and values of `class` in a certificate.
tau_labels <- function(loss) {
  taus <- taus_of(loss)
  if (!is.null(taus)) paste("tau =", vapply(taus, format, "", digits = 15L))
}

# Is it a fit of several quantiles?
has_quantiles <- function(fit) !is.null(taus_of(fit$settings$loss))

# What asks for one problem, and a fit of several is given to.
refuse_quantiles <- function(fit, caller, arg = "fit") {
  if (has_quantiles(fit)) {
    taus <- taus_of(fit$settings$loss)
    abort_input(sprintf(paste(
      "`%s` has %d quantiles, and %s is asked of one; give a fit of one, as in update(%s, loss =",
      "loss_quantile(%s))."
    ), arg, length(taus), caller, arg, format(taus[1L], digits = 15L)), arg)
  }
}

# What the problems with these names are.
problem_noun <- function(labels) {
  if (any(startsWith(as.character(labels), "tau ="), na.rm = TRUE)) "quantile" else "class"
}

# A table with a column `class` of names of problems: the numbers as `tau` where they are that.
named_by_tau <- function(fit, table) {
  if (has_quantiles(fit)) {
    at <- match(table$class, tau_labels(fit$settings$loss))
    table$class <- taus_of(fit$settings$loss)[at]
    names(table)[names(table) == "class"] <- "tau"
  }
  table
}

# ---- The fit ----

# For each tau one call; each starts from the solution before it, or from that of a fit of the same
# tau, which a start may be. A dual point is one of its own tau.
solve_quantiles <- function(problem, lambda, mixture) {
  taus <- taus_of(problem$settings$loss)
  given <- linear_start(problem)
  results <- list()
  for (k in seq_along(taus)) {
    one <- problem
    one$settings$loss <- loss_quantile(taus[k])
    if (k > 1L) one$settings$started <- NULL
    start <- if (k == 1L || NCOL(given$coefficients) == length(taus)) start_of_column(given, k) else
      start_of_solution(results[[k - 1L]]$solutions[[1L]][[1L]], problem$unit)
    results[[k]] <- solve_linear(one, lambda, mixture, start = start)
  }
  result <- results[[1L]]
  result$solutions <- lapply(results, function(one) one$solutions[[1L]])
  result
}

# For one tau that of a start of several, or the first.
start_of_tau <- function(start, loss) {
  if (!has_quantiles(start) || !is.null(taus_of(loss))) {
    return(start)
  }
  labels <- tau_labels(start$settings$loss)
  fit_of_tau(start, labels[max(match(loss$parameter[[1L]], taus_of(start$settings$loss)), 1L,
                               na.rm = TRUE)])
}

start_of_column <- function(start, k) {
  if (is.null(start)) {
    return(NULL)
  }
  list(coefficients = start$coefficients[, k, drop = FALSE],
       intercept = start$intercept[min(k, length(start$intercept))],
       dual = if (!is.null(start$dual)) start$dual[, k, drop = FALSE])
}

start_of_solution <- function(solution, unit) {
  list(coefficients = matrix(solution$coefficients) / unit,
       intercept = as.double(solution$intercept) / unit, dual = NULL)
}

assert_quantiles_possible <- function(problem) {
  settings <- problem$settings
  refuse_checkpoint(settings$control, "loss_quantile() of several tau")
  if (is_rows(problem$design$x) || !is.null(meeting_of(settings))) {
    abort_input(paste(
      "`loss` has several tau, which rows in a file and ranks have no way for yet; make a fit for",
      "each, as in lapply(tau, function(tau) margin_linear(..., loss = loss_quantile(tau)))."
    ), "loss")
  }
}

# Of paths and of what compares fits: one problem each.
assert_one_tau_each <- function(loss) if (inherits(loss, "margin_loss")) as_loss(loss)

# ---- Predictions ----

# Quantiles that cross are sorted within each row: the curves that are closest to those of the fit
# and do not cross. The sum of their pinball losses is at most that of the fit (Chernozhukov,
# Fernandez-Val and Galichon 2010).
rearranged <- function(scores) {
  crossed <- crossed_rows(scores)
  if (length(crossed) > 0L) {
    scores[crossed, ] <- t(apply(scores[crossed, , drop = FALSE], 1L, sort))
  }
  scores
}

crossed_rows <- function(scores) {
  scores <- unname(scores)
  k <- ncol(scores)
  which(rowSums(scores[, -1L, drop = FALSE] < scores[, -k, drop = FALSE]) > 0)
}

tell_crossed <- function(fit, scores, type) {
  if (has_quantiles(fit) && type != "score") {
    crossed <- length(crossed_rows(scores))
    if (crossed > 0L) {
      inform(sprintf(paste(
        "Quantiles cross in %s of %s: they are sorted within each of these rows (type = \"score\"",
        "has them as fitted)."
      ), grouped(crossed), count(nrow(scores), "row")))
    }
  }
}

# Of several quantiles only their own loss is a number of theirs.
assert_metric_of_quantiles <- function(name, losses, arg) {
  taus <- taus_of(common_loss(losses))
  if (!is.null(taus) && name != "pinball") {
    abort_input(sprintf(paste(
      "`%s` is \"%s\", which judges one number a row, and the fit has %d quantiles; use",
      "\"pinball\", the mean of their losses."
    ), arg, name, length(taus)), arg)
  }
}

# One name a column, for a data frame: .fitted_0.1
tau_columns <- function(fit, values, prefix) {
  values <- as.data.frame(unname(values))
  names(values) <- paste0(prefix, "_", vapply(taus_of(fit$settings$loss), format, "",
                                              digits = 15L))
  values
}

assert_one_tau <- function(fit, which, class) {
  if (length(class) != 1L) {
    labels <- tau_labels(fit$settings$loss)
    abort_input(sprintf(paste(
      "`class` is %s, but \"%s\" of a fit of %d quantiles is drawn of one; use class = \"%s\"."
    ), show_value(class), which, length(labels), labels[(length(labels) + 1L) %/% 2L]), "class")
  }
  class
}

# The fit of one tau among several, for what is drawn of it.
fit_of_tau <- function(fit, label) {
  k <- match(label, tau_labels(fit$settings$loss))
  fit$coefficients <- fit$coefficients[, k]
  for (name in c("certificate", "status")) {
    fit[[name]] <- without_row_names(fit[[name]][k, ])
    fit[[name]]$class <- NA_character_
  }
  fit$trace <- fit$trace[fit$trace$class == label, ]
  fit$trace$class <- rep(NA_character_, NROW(fit$trace))
  for (name in c("scores", "dual")) fit[[name]] <- fit[[name]][, k]
  fit$settings$loss <- loss_quantile(taus_of(fit$settings$loss)[k])
  fit
}
