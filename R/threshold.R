# margin_threshold(): from which decision value or probability on a row is called positive, chosen
# by a metric or given, and kept in the fit.

#' Choose or set a threshold
#'
#' @description
#' Choose from which decision value, or probability, on a fit of two classes predicts the second;
#' 0 is the default. `margin_threshold()` returns the fit with another threshold \eqn{t}: the second class is then
#' predicted where the decision value (`on = "score"`), or the probability of the second class (`on =
#' "prob"`), is at least \eqn{t}. [predict()][predict.margin_fit()], `fitted()`, `augment()`,
#' `summary()`, [margin_performance()], [margin_report()] and the predictions of a parsnip model
#' follow it, and `print()` shows it. `at` gives \eqn{t}. Without `at` it is the one that does best by
#' a metric of classes, on rows that you choose: cross-validated decision values of the training
#' rows, each by a refit of the same problem without
#' its fold (as in [margin_calibrate()], whose decision values are used where the fit was
#' calibrated), or validation rows that the fit has not seen. Neither is the test set:
#' [margin_performance()] judges that.
#' ```r
#' fit <- margin_threshold(fit, train, metric = "f1") # chosen
#' fit <- margin_threshold(fit, at = 0.9, on = "prob") # given
#' ```
#'
#' @details
#' A threshold of the probability is what costs ask for: with the cost \eqn{c_0} of a false alarm
#' and \eqn{c_1} of a miss, expected cost is least at \eqn{t = c_0 / (c_0 + c_1)}{t = c0/(c0 + c1)}
#' (Elkan 2001), if the probabilities are those of the rows, as after [margin_calibrate()]. Of a
#' calibrated fit `margin_threshold(fit, at = 0.5, on = "prob")` makes classes and probabilities
#' agree.
#'
#' The threshold belongs to the decision values of this fit. [update()] refits without it, as
#' without a calibration, and a message says so. [margin_calibrate()] keeps a threshold of the
#' decision value. It removes one of the probability, since calibration changes the probabilities,
#' and a message says so. Coefficients, decision values, probabilities and the certificate do not
#' depend on the threshold; what [margin_certain()], [margin_loo()] and
#' [margin_sensitivity()] say of classes is of the sign of the decision value.
#'
#' The candidates are 0 (1/2 for probabilities), the middle between any two neighbouring values, and
#' one beyond each end. A metric of [metrics] is found at all of them in one pass over the
#' sorted values; one of [margin_metric()] is evaluated at each, which takes time in the square of
#' the number of rows. Of thresholds that do equally well the one nearest to 0 (1/2) is taken.
#' Probabilities of cross-validated rows are those of a map that was learnt without their fold where
#' the fit is calibrated, else those of the logistic refit.
#'
#' @param fit A classifier of two classes.
#' @param data,y The rows and labels: with `rows = "cross_validated"` those of the fit, as for
#'   [margin_calibrate()]; with `"validation"` others. For a fit from a formula `data` is a data
#'   frame with the response, and `y` is left out.
#' @param metric Name of a metric of classes, see [metrics], or a [margin_metric()] that
#'   needs `"class"`.
#' @param rows `"cross_validated"` or `"validation"`, what `data` are.
#' @param weights With `"validation"`: `NULL` or a weight for each row. Cross-validated rows have
#'   those of the fit.
#' @param folds,seed As in [margin_calibrate()], for cross-validated decision values.
#' @param on `"score"`: a threshold of the decision value; `"prob"`: of the probability of the
#'   second class, for fits that give one.
#' @param at A number, the threshold of a fit (`fit$threshold`), or `NULL`, which takes the threshold
#'   away; instead of `data` and of what chooses by it. A threshold of a fit has an `on` of its
#'   own.
#' @param newoffset With `"validation"`: the offset of the rows, as in [margin_performance()].
#' @param ... Not used; an unknown argument is an error.
#' @return The fit, with a list `threshold` of class `"margin_threshold"`: `value`, `on`, and `source`
#'   (a sentence of where it comes from). One that was chosen can be drawn, and has `metric` (its
#'   name), `score` (the value of the metric at the threshold) and `at_zero` (at a
#'   decision value of 0, or a probability of 1/2), `rows`, `n` (rows), `missing`, `scores`,
#'   `fingerprint` (by which the validation rows are known again), and `curve`, a data frame of every
#'   `threshold` tried and its `score`, which `plot()` and `tidy()`
#'   show; `glance()` has the rest in one row.
#' @details [margin_certain()], [margin_loo()] and [margin_sensitivity()] prove classes by a decision value
#' of 0 and refuse a fit with another threshold, which `at = NULL` takes away; [margin_audit()] goes by it.
#' @section Errors and warnings:
#' Of class `dualmargin_input_error`: more than two classes, a regression, a metric that needs no
#' classes, `on = "prob"` of a fit without probabilities, a probability `at` that is not between 0
#' and 1, another `on` than that of `at`, `at` beside `data`, `"validation"` rows that are those of
#' the fit.
#' Refits that are not certified are counted in a
#' warning of class `dualmargin_not_certified`.
#' @references
#' Elkan C (2001). The foundations of cost-sensitive learning. *Proceedings of the 17th IJCAI*,
#' 973-978.
#'
#' Sheng VS, Ling CX (2006). Thresholding for making classifiers cost-sensitive. *Proceedings of the
#' 21st AAAI*, 476-481.
#' @seealso [margin_performance()], [margin_calibrate()].
#' @examples
#' rows <- seq(1, nrow(spambase), by = 10)
#' train <- spambase[rows, ]
#' test <- spambase[-rows, ]
#' fit <- margin_linear(type ~ ., data = train, loss = "hinge", lambda = 0.01)
#' chosen <- margin_threshold(fit, train, metric = "balanced_accuracy", seed = 1)
#' chosen$threshold
#' margin_performance(chosen, test, "balanced_accuracy")
#' # a lost letter is nine times as dear as a read advertisement
#' logistic <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 0.01)
#' careful <- margin_threshold(logistic, at = 0.9, on = "prob")
#' careful
#' table(predicted = predict(careful, test), observed = test$type)
#' @export
margin_threshold <- function(fit, data, y = NULL, metric = "balanced_accuracy",
                             rows = c("cross_validated", "validation"), weights = NULL, folds = 5,
                             seed = NULL, on = c("score", "prob"), ..., at, newoffset = NULL) {
  assert_no_extra("margin_threshold()", ...)
  if (!missing(at)) {
    chosen <- c(data = !missing(data), y = !is.null(y), metric = !missing(metric),
                rows = !missing(rows), weights = !is.null(weights), folds = !missing(folds),
                seed = !is.null(seed), newoffset = !is.null(newoffset))
    if (any(chosen)) {
      abort_input(sprintf("`at` is the threshold, and `%s` is for choosing one; leave one of the two out.",
                          names(chosen)[chosen][1L]), "at")
    }
    assert_fit(fit, "fit")
    given <- if (!missing(on)) one_of(on, c("score", "prob"), "on")
    fit$threshold <- if (inherits(at, "margin_threshold")) {
      as_threshold(at, fit, given, "at")
      at
    } else if (!is.null(at)) {
      structure(as_threshold(at, fit, given, "at"), class = "margin_threshold")
    }
    return(fit)
  }
  if (missing(data)) {
    abort_input(paste("`data` is missing; give rows that choose the threshold, or the threshold by",
                      "`at`."), "data")
  }
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
  on <- one_of(on, c("score", "prob"), "on")
  if (on == "prob") assert_threshold_prob(fit)
  assert_seed(seed)
  seen <- if (rows == "validation") validation_scores(fit, data, y, weights, newoffset) else
    cross_validated_scores(fit, data, y, weights, folds, seed, newoffset)
  best <- best_threshold(if (on == "prob") seen$prob else seen$score, seen, metric, fit$levels,
                         if (on == "prob") 0.5 else 0, if (on == "prob") c(0, 1) else c(-Inf, Inf))
  fit$threshold <- structure(c(best, list(
    on = on, metric = metric$name, rows = rows, n = seen$n, missing = seen$missing,
    scores = seen$score, fingerprint = seen$fingerprint,
    source = sprintf(
      "chosen by %s on %s", metric$name, if (rows == "validation")
        sprintf("%s given for validation", count(seen$n, "row")) else
          sprintf("cross-validated %s of the %s of the fit",
                  if (on == "prob") "probabilities" else "decision values",
                  count(seen$n, "training row"))
    )
  )), class = "margin_threshold")
  fit
}

validation_scores <- function(fit, data, y, weights, newoffset) {
  judged <- judged_rows(fit, data, y, weights, "data", newoffset)
  if (isTRUE(judged$fitted)) {
    abort_input(paste(
      "`data` are the rows of the fit, whose decision values are not those of new rows; use",
      "rows = \"cross_validated\", or give others."
    ), "data")
  }
  if (is.na(judged$fitted)) warn_maybe_training("data", "the threshold looks better than it is")
  c(judged[c("truth", "score", "weights", "missing", "fingerprint")],
    list(n = length(judged$at), prob = second_prob(fit, judged$score)))
}

# A row that is held out m times counts with 1/m of its weight each time.
cross_validated_scores <- function(fit, data, y, weights, folds, seed, newoffset) {
  own <- c(weights = "weights", newoffset = "an offset")[c(!is.null(weights), !is.null(newoffset))]
  if (length(own) > 0L) {
    abort_input(sprintf(paste(
      "`%s` is given, but the rows of the fit have %s of their own; leave it out, or use rows =",
      "\"validation\"."
    ), names(own)[1L], own[[1L]]), names(own)[1L])
  }
  if (inherits(fit$response, "soft_labels")) {
    abort_input("`fit` was made from soft labels, which have no classes to count.", "fit")
  }
  own <- is.null(fit$calibration)
  fit$threshold <- NULL
  fit <- naming_validation({
    if (own) {
      # cross-validated decision values are all that is taken of it, and no map
      withCallingHandlers(
        if (is.null(y)) margin_calibrate(fit, data, folds = folds, seed = seed) else
          margin_calibrate(fit, data, y, folds = folds, seed = seed),
        dualmargin_flat_map = function(condition) invokeRestart("muffleWarning")
      )
    } else {
      if (is.null(y)) training_rows(fit, data) else training_rows(fit, data, y)
      fit
    }
  })
  held_out <- fit$calibration$held_out
  list(truth = factor(fit$levels[as.integer(fit$response)[held_out$at]], levels = fit$levels),
       score = held_out$score, weights = held_out$weight, missing = 0L,
       # a map that was learnt for the threshold alone is not the fit's
       prob = if (own) stats::plogis(held_out$score) else unname(held_out$prob[, 2L]),
       n = length(unique(held_out$at[held_out$weight > 0])))
}

# Rows that are not those of the fit may be meant for validation.
naming_validation <- function(expression) {
  tryCatch(expression, dualmargin_input_error = function(condition) {
    if (!identical(condition$arg, "data") && !identical(condition$arg, "y")) stop(condition)
    abort_input(paste(conditionMessage(condition), "For rows that the fit has not seen give",
                      "rows = \"validation\"."), condition$arg)
  })
}

# values: what the threshold is of; middle: where the fit itself has it; ends: between which it lies.
best_threshold <- function(values, seen, metric, levels, middle, ends) {
  distinct <- sort(unique(values[seen$weights > 0]))
  n <- length(distinct)
  apart <- max(1, diff(range(distinct)))
  tails <- c(distinct[1L] - apart, distinct[n] + apart)
  if (is.finite(ends[1L])) tails <- c(ends[1L], (distinct[n] + ends[2L]) / 2)
  tried <- unique(c(middle, tails[1L], (distinct[-1L] + distinct[-n]) / 2, tails[2L]))
  value_at <- function(t) {
    predicted <- factor(levels[1L + (values >= t)], levels = levels)
    metric_value(metric, seen$truth, predicted, seen$weights)
  }
  scores <- threshold_values(metric, tried, values, seen)
  if (is.null(scores)) scores <- vapply(tried, value_at, 0)
  if (all(is.na(scores))) {
    abort_input(sprintf("`metric` \"%s\" has no value at any threshold; give rows of both classes.",
                        metric$name), "metric")
  }
  better <- if (metric$maximize) scores else -scores
  best <- which(better >= max(better, na.rm = TRUE) - 1e-12)
  chosen <- best[which.min(abs(tried[best] - middle))]
  order <- order(tried)
  list(value = tried[chosen], score = value_at(tried[chosen]), at_zero = value_at(middle),
       curve = data.frame(threshold = tried[order], score = scores[order]))
}

# The value of the metric at each threshold from the weights of the classes on either side of it, in
# n log n; NULL of a metric that needs the rows, which is a user's.
threshold_values <- function(metric, tried, values, seen) {
  if (is.null(metric$counts)) {
    return(NULL)
  }
  groups <- score_groups(values, as.integer(seen$truth) == 2L, seen$weights)
  place <- findInterval(tried, groups$score, left.open = TRUE) + 1L
  # sums of each side of the cut, not differences from the total, which would round
  upward <- function(weights) c(rev(cumsum(rev(weights))), 0)[place]
  below <- function(weights) c(0, cumsum(weights))[place]
  scores <- metric$counts(upward(groups$positive), below(groups$positive),
                          upward(groups$negative), below(groups$negative))
  replace(scores, is.nan(scores), NA_real_)
}

#' @rdname margin_threshold
#' @param x The threshold of a fit, `fit$threshold`; `plot()` draws one that was chosen.
#' @param digits Significant digits.
#' @export
print.margin_threshold <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  cat(fold_lines(c(
    sprintf("<margin_threshold> %s %s", if (identical(x$on, "prob")) "probability" else
      "decision value", format(x$value, digits = digits)),
    paste0("  ", x$source),
    if (!is.null(x$metric)) {
      sprintf("  %s %s there, %s at %s", x$metric, format(x$score, digits = digits),
              format(x$at_zero, digits = digits), if (identical(x$on, "prob")) "1/2" else "0")
    },
    if (any(x$missing > 0L)) sprintf("  %s left out: no response or no prediction",
                                count(x$missing, "row"))
  )), sep = "\n")
  invisible(x)
}

# How classes are read from decision values by a threshold, one that is given or that of the fit.

has_two_classes <- function(fit) fit$task != "regression" && length(fit$levels) == 2L

# What is read of a threshold; what chose it stays beside that.
threshold_parts <- c("value", "on", "source", "fingerprint")

# What was given -> a list of these. NULL: that of the fit;
# NULL where there is none to have. on: NULL where none was given.
as_threshold <- function(threshold, fit, on = NULL, arg = "threshold") {
  if (is.null(threshold)) {
    if (!is.null(on)) {
      abort_input(sprintf("`on` is \"%s\", but no `%s` is given; give both.", on, arg), "on")
    }
    own <- list(value = -boundary_of(fit), on = "score", source = "that of the fit")
    kept <- unclass(fit$threshold)
    return(if (!is.null(kept)) kept[intersect(threshold_parts, names(kept))] else
      if (has_two_classes(fit)) own)
  }
  if (!has_two_classes(fit)) {
    abort_input(sprintf("`%s` is %s, but the fit is %s; a threshold is for two classes.", arg,
                        show_value(threshold), if (fit$task == "regression") "a regression" else
                          sprintf("of %d classes", length(fit$levels))), arg)
  }
  if (inherits(threshold, "margin_threshold")) {
    return(chosen_threshold(threshold, fit, on, arg))
  }
  if (is.null(on)) on <- "score"
  if (on == "prob") assert_threshold_prob(fit)
  assert_number(threshold, arg, remedy = "margin_threshold() finds one")
  if (on == "prob" && (threshold < 0 || threshold > 1)) {
    abort_input(sprintf("`%s` is %s, but a probability is between 0 and 1.", arg,
                        format(threshold)), arg)
  }
  list(value = as.double(threshold), on = on, source = "a number that was given")
}

chosen_threshold <- function(threshold, fit, on, arg) {
  made <- unclass(threshold)
  own <- made$on
  if (!is.null(on) && on != own) {
    abort_input(sprintf("`on` is \"%s\", but `%s` was chosen on \"%s\"; leave `on` out.", on, arg,
                        own), "on")
  }
  if (own == "prob") assert_threshold_prob(fit)
  made[intersect(threshold_parts, names(made))]
}

assert_threshold_prob <- function(fit) {
  if (!has_probabilities(fit)) {
    abort_input(paste(
      "`on` is \"prob\", but this fit gives no probabilities; calibrate it by margin_calibrate(),",
      "or use on = \"score\"."
    ), "on")
  }
}

second_prob <- function(fit, scores) {
  if (has_probabilities(fit)) unname(prob_of_fit(fit, scores)[, 2L])
}

# Index of the predicted level of each row. threshold: that of the fit, which a path has none of.
class_by <- function(fit, scores, threshold = fit[["threshold"]], prob = NULL) {
  if (is.null(threshold)) {
    return(class_of_scores(scores + boundary_of(fit)))
  }
  seen <- if (threshold$on == "score") scores else if (is.null(prob)) second_prob(fit, scores) else
    prob
  stats::setNames(1L + (unname(seen) >= threshold$value), names(scores))
}

# ---- In words ----

# "a decision value >= 0"
describe_cut <- function(threshold, digits) {
  if (is.null(threshold)) {
    return("a decision value >= 0")
  }
  sprintf("a %s >= %s", if (threshold$on == "prob") "probability" else "decision value",
          format(threshold$value, digits = digits))
}

# How many of the training rows get a class that has not the larger calibrated probability; NULL
# where the class is read from the probability, or the fit is not calibrated.
contradicting_rows <- function(fit) {
  if (!is.null(fit$contradicting)) {
    return(fit$contradicting)
  }
  if (is.null(fit$calibration) || identical(fit$threshold$on, "prob")) {
    return(NULL)
  }
  scores <- some_scores(fit$scores, fit$weights > 0)
  sum(class_differs(scores, prob_of_fit(fit, scores), class_by(fit, scores)))
}

describe_contradictions <- function(fit) {
  rows <- contradicting_rows(fit)
  if (is.null(rows)) {
    return(NA_character_)
  }
  of <- count(sum(fit$weights > 0), "training row")
  if (rows == 0L) {
    return(sprintf("the class has the larger probability in all of %s", of))
  }
  remedy <- if (length(fit$levels) == 2L) {
    "; after margin_threshold(fit, at = 0.5, on = \"prob\") the class follows the probability"
  }
  paste0("class and probability disagree in ", grouped(rows), " of ", of, remedy)
}

# Without what belongs to the old decision values.
tell_threshold_gone <- function(fit, why) {
  if (!is.null(fit$threshold)) {
    inform(sprintf("The threshold of the fit, %s, is taken away: %s.",
                   describe_cut(fit$threshold, 4L), why))
  }
}

# The rows that chose a threshold make it look better than it is.
tell_same_rows <- function(threshold, fingerprint) {
  if (fingerprint %in% threshold$fingerprint) {
    inform(paste("`threshold` was chosen on the very rows of `newdata`: what depends on it is",
                 "better here than on new rows."))
  }
}
