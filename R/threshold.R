# margin_threshold(): from which decision value on a row is called positive, chosen by a metric.

#' A threshold of the decision value
#'
#' Finds the threshold \eqn{t} at which predicting the second class where the decision value is at
#' least \eqn{t} does best by a metric of classes, on rows that are said: cross-validated decision
#' values of the training rows, each by a refit of the same problem without its fold (as in
#' [margin_calibrate()], whose decision values are used where the fit was calibrated), or validation
#' rows that the fit has not seen. Neither is the test set: [margin_performance()] judges that with
#' the threshold found here.
#'
#' Tried are 0 and the middle between any two neighbouring decision values, and one beyond each end;
#' of thresholds that do equally well the one nearest to 0, where the fit itself has it.
#'
#' @param fit A classifier of two classes.
#' @param data,y The rows and labels: with `rows = "cross_validated"` those of the fit, as for
#'   [margin_calibrate()]; with `"validation"` others. For a fit from a formula `data` is a data
#'   frame with the response, and `y` is left out.
#' @param metric Name of a metric of classes, see [margin_metrics()], or a [margin_metric()] that
#'   needs `"class"`.
#' @param rows `"cross_validated"` or `"validation"`, what `data` are.
#' @param weights With `"validation"`: `NULL` or a weight for each row. Cross-validated rows have
#'   those of the fit.
#' @param folds,seed As in [margin_calibrate()], for cross-validated decision values.
#' @param ... Nothing: unknown arguments are errors.
#' @return A list of class `"margin_threshold"`: `value` (in the units of the decision value),
#'   `metric` (its name), `score` (the value of the metric at the threshold) and `at_zero` (at 0),
#'   `rows`, `n` (rows), `missing`, `source` (a sentence of where it comes from), and `curve`, a
#'   data frame of every `threshold` tried and its `score`.
#' @section Errors and warnings:
#' Of class `dualmargin_input_error`: more than two classes, a metric that needs no classes,
#' `"validation"` rows that are those of the fit. Refits that are not certified are counted in a
#' warning of class `dualmargin_not_certified`.
#' @references
#' Sheng VS, Ling CX (2006). Thresholding for making classifiers cost-sensitive. *Proceedings of the
#' 21st AAAI*, 476-481.
#' @seealso [margin_performance()].
#' @examples
#' rows <- seq(1, nrow(spambase), by = 10)
#' train <- spambase[rows, ]
#' test <- spambase[-rows, ]
#' fit <- margin_linear(type ~ ., data = train, loss = "hinge", lambda = 0.01)
#' chosen <- margin_threshold(fit, train, metric = "balanced_accuracy", seed = 1)
#' chosen
#' margin_performance(fit, test, "balanced_accuracy", threshold = chosen)
#' @export
margin_threshold <- function(fit, data, y = NULL, metric = "balanced_accuracy",
                             rows = c("cross_validated", "validation"), weights = NULL, folds = 5,
                             seed = NULL, ...) {
  assert_no_extra("margin_threshold()", ...)
  assert_calibrated_kind(fit)
  if (length(fit$levels) != 2L) {
    abort_input(sprintf("`fit` has %d classes; a threshold is for two.", length(fit$levels)), "fit")
  }
  metric <- as_metrics(metric, "classification")[[1L]]
  if (metric$needs != "class") {
    abort_input(sprintf(paste(
      "`metric` is \"%s\", which no threshold changes; use one of classes, such as",
      "\"balanced_accuracy\" or \"f1\"."
    ), metric$name), "metric")
  }
  rows <- one_of(rows, c("cross_validated", "validation"), "rows")
  assert_seed(seed)
  seen <- if (rows == "validation") validation_scores(fit, data, y, weights) else
    cross_validated_scores(fit, data, y, weights, folds, seed)
  best <- best_threshold(seen, metric, fit$levels)
  structure(c(best, list(
    metric = metric$name, rows = rows, n = seen$n, missing = seen$missing, scores = seen$score,
    source = sprintf(
      "chosen by %s on %s", metric$name, if (rows == "validation")
        sprintf("%s given for validation", count(seen$n, "row")) else
          sprintf("cross-validated decision values of the %s of the fit",
                  count(seen$n, "training row"))
    )
  )), class = "margin_threshold")
}

validation_scores <- function(fit, data, y, weights) {
  judged <- judged_rows(fit, data, y, weights, "data")
  if (same_values(judged$score, fit$scores)) {
    abort_input(paste(
      "`data` are the rows of the fit, whose decision values are not those of new rows; use",
      "rows = \"cross_validated\", or give others."
    ), "data")
  }
  c(judged[c("truth", "score", "weights", "missing")], n = length(judged$at))
}

# A row that is held out m times counts with 1/m of its weight each time.
cross_validated_scores <- function(fit, data, y, weights, folds, seed) {
  if (!is.null(weights)) {
    abort_input(paste(
      "`weights` is given, but the rows of the fit have weights of their own; leave it out, or use",
      "rows = \"validation\"."
    ), "weights")
  }
  if (inherits(fit$response, "soft_labels")) {
    abort_input("`fit` was made from soft labels, which have no classes to count.", "fit")
  }
  if (is.null(fit$calibration)) {
    fit <- if (is.null(y)) margin_calibrate(fit, data, folds = folds, seed = seed) else
      margin_calibrate(fit, data, y, folds = folds, seed = seed)
  } else if (is.null(y)) {
    training_rows(fit, data)
  } else {
    training_rows(fit, data, y)
  }
  held_out <- fit$calibration$held_out
  list(truth = factor(fit$levels[as.integer(fit$response)[held_out$at]], levels = fit$levels),
       score = held_out$score, weights = held_out$weight, missing = 0L,
       n = length(unique(held_out$at)))
}

best_threshold <- function(seen, metric, levels) {
  distinct <- sort(unique(seen$score[seen$weights > 0]))
  n <- length(distinct)
  apart <- max(1, diff(range(distinct)))
  tried <- unique(c(0, distinct[1L] - apart, (distinct[-1L] + distinct[-n]) / 2,
                    distinct[n] + apart))
  scores <- vapply(tried, function(t) {
    predicted <- factor(levels[1L + (seen$score >= t)], levels = levels)
    as.double(metric$compute(seen$truth, predicted, seen$weights))
  }, 0)
  if (all(is.na(scores))) {
    abort_input(sprintf("`metric` \"%s\" has no value at any threshold; give rows of both classes.",
                        metric$name), "metric")
  }
  better <- if (metric$maximize) scores else -scores
  best <- which(better >= max(better, na.rm = TRUE) - 1e-12)
  chosen <- best[which.min(abs(tried[best]))]
  order <- order(tried)
  list(value = tried[chosen], score = scores[chosen], at_zero = scores[1L],
       curve = data.frame(threshold = tried[order], score = scores[order]))
}

#' @rdname margin_threshold
#' @param x A result of `margin_threshold()`.
#' @param digits Significant digits.
#' @export
print.margin_threshold <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  cat(fold_lines(c(
    sprintf("<margin_threshold> decision value %s", format(x$value, digits = digits)),
    paste0("  ", x$source),
    sprintf("  %s %s there, %s at 0", x$metric, format(x$score, digits = digits),
            format(x$at_zero, digits = digits)),
    if (x$missing > 0L) sprintf("  %s left out: no response or no prediction",
                                count(x$missing, "row"))
  )), sep = "\n")
  invisible(x)
}

# What margin_performance() was given -> a list of value, source and the scores that chose it; NULL
# where there is none to have.
as_threshold <- function(threshold, fit) {
  two <- fit$task == "classification" && length(fit$levels) == 2L
  if (is.null(threshold)) {
    return(if (two) list(value = 0, source = "that of the fit"))
  }
  if (!two) {
    abort_input(sprintf("`threshold` is %s, but the fit is %s; a threshold is for two classes.",
                        show_value(threshold), if (fit$task == "regression") "a regression" else
                          sprintf("of %d classes", length(fit$levels))), "threshold")
  }
  if (inherits(threshold, "margin_threshold")) {
    return(unclass(threshold)[c("value", "source", "scores")])
  }
  assert_number(threshold, "threshold", remedy = "margin_threshold() finds one")
  list(value = threshold, source = "a number that was given")
}

# The rows that chose a threshold make it look better than it is.
tell_same_rows <- function(threshold, rows) {
  if (!is.null(threshold$scores) && same_values(threshold$scores, rows$score)) {
    inform(paste("`threshold` was chosen on the very rows of `newdata`: what depends on it is",
                 "better here than on new rows."))
  }
}
