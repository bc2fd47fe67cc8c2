# set_threshold(): from where on a fit of two classes predicts the second, kept in the fit; and how
# classes are read with it.

#' Keep a threshold in a fit
#'
#' A fit of two classes predicts the second where the decision value is 0 or more. `set_threshold()`
#' keeps another threshold in the fit: the second class is then predicted where the decision value
#' (`on = "score"`), or the probability of the second class (`on = "prob"`), is at least `chosen`.
#' [predict()][predict.margin_fit()], `fitted()`, `augment()`, `summary()`, [margin_performance()],
#' [margin_report()] and the predictions of a parsnip model follow it, and `print()` shows it.
#'
#' A threshold of the probability is what costs ask for: with the cost \eqn{c_0} of a false alarm
#' and \eqn{c_1} of a miss, expected cost is least at \eqn{t = c_0 / (c_0 + c_1)}{t = c0/(c0 + c1)}
#' (Elkan 2001), if the probabilities are those of the rows, as after [margin_calibrate()]. Of a
#' calibrated fit `set_threshold(fit, 0.5, on = "prob")` makes classes and probabilities agree.
#'
#' The threshold belongs to the decision values of this fit. [update()] refits without it, as
#' without a calibration, and a message says so. [margin_calibrate()] keeps a threshold of the
#' decision value. It removes one of the probability, since calibration changes the probabilities,
#' and a message says so. Coefficients, decision values, probabilities and the certificate do not
#' depend on the threshold; what [margin_certain()], [margin_loo()], [margin_flips()] and
#' [margin_sensitivity()] say of classes is of the sign of the decision value.
#'
#' @param fit A fit of two classes.
#' @param chosen A number, a result of [margin_threshold()], or `NULL`, which takes the threshold of
#'   the fit away.
#' @param on `"score"`: `chosen` is a decision value; `"prob"`: a probability of the second class. A
#'   result of [margin_threshold()] has its own.
#' @param ... Not used; an unknown argument is an error.
#' @return The fit, with a list `threshold`: `value`, `on`, `source` (where it comes from in words).
#' @section Errors:
#' Of class `dualmargin_input_error`: more than two classes, a regression, `on = "prob"` of a fit
#' that gives no probabilities, a probability that is not between 0 and 1, another `on` than that of
#' `chosen`.
#' @references
#' Elkan C (2001). The foundations of cost-sensitive learning. *Proceedings of the 17th IJCAI*,
#' 973-978.
#' @seealso [margin_threshold()] to choose one, [margin_calibrate()].
#' @examples
#' rows <- seq(1, nrow(spambase), by = 10)
#' train <- spambase[rows, ]
#' test <- spambase[-rows, ]
#' fit <- margin_linear(type ~ ., data = train, loss = "logistic", lambda = 0.01)
#' # a lost letter is nine times as dear as a read advertisement
#' careful <- set_threshold(fit, 0.9, on = "prob")
#' careful
#' table(predicted = predict(careful, test), observed = test$type)
#' set_threshold(fit, margin_threshold(fit, train, metric = "f1", seed = 1))
#' @export
set_threshold <- function(fit, chosen, on = c("score", "prob"), ...) {
  assert_no_extra("set_threshold()", ...)
  assert_fit(fit, "fit")
  if (missing(chosen)) {
    abort_input(paste("`chosen` is missing; give a number, a result of margin_threshold(), or NULL",
                      "to take the threshold away."), "chosen")
  }
  given <- if (!missing(on)) one_of(on, c("score", "prob"), "on")
  fit$threshold <- if (!is.null(chosen)) {
    as_threshold(chosen, fit, given, "chosen")[c("value", "on", "source")]
  }
  fit
}

has_two_classes <- function(fit) fit$task != "regression" && length(fit$levels) == 2L

# What was given -> a list of value, on, source and the scores that chose it. NULL: that of the fit;
# NULL where there is none to have. on: NULL where none was given.
as_threshold <- function(threshold, fit, on = NULL, arg = "threshold") {
  if (is.null(threshold)) {
    if (!is.null(on)) {
      abort_input(sprintf("`on` is \"%s\", but no `%s` is given; give both.", on, arg), "on")
    }
    own <- list(value = -boundary_of(fit), on = "score", source = "that of the fit")
    return(if (!is.null(fit$threshold)) fit$threshold else if (has_two_classes(fit)) own)
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
  own <- if (is.null(made$on)) "score" else made$on # those of version 0.2 have none
  if (!is_number(made$value) || !is_one_text(made$source) || !own %in% c("score", "prob")) {
    abort_input(sprintf("`%s` is a damaged result of margin_threshold(); choose it again.", arg),
                arg)
  }
  if (!is.null(on) && on != own) {
    abort_input(sprintf("`on` is \"%s\", but `%s` was chosen on \"%s\"; leave `on` out.", on, arg,
                        own), "on")
  }
  if (own == "prob") assert_threshold_prob(fit)
  list(value = made$value, on = own, source = made$source, fingerprint = made$fingerprint)
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
    "; after set_threshold(fit, 0.5, on = \"prob\") the class follows the probability"
  }
  paste0("class and probability disagree in ", format(rows, big.mark = ","), " of ", of, remedy)
}

# Without what belongs to the old decision values.
tell_threshold_gone <- function(fit, why) {
  if (!is.null(fit$threshold)) {
    inform(sprintf("The threshold of the fit, %s, is taken away: %s.",
                   describe_cut(fit$threshold, 4L), why))
  }
}

check_threshold_of <- function(fit, fail) {
  kept <- fit$threshold
  sound <- is.list(kept) && is_number(kept$value) && is_one_text(kept$on) &&
    kept$on %in% c("score", "prob") && is_one_text(kept$source) && length(fit$levels) == 2L
  if (!sound) fail("its `threshold` is wrong")
}

# The rows that chose a threshold make it look better than it is.
tell_same_rows <- function(threshold, fingerprint) {
  if (fingerprint %in% threshold$fingerprint) {
    inform(paste("`threshold` was chosen on the very rows of `newdata`: what depends on it is",
                 "better here than on new rows."))
  }
}
