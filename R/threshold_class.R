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
  paste0("class and probability disagree in ", format(rows, big.mark = ","), " of ", of, remedy)
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
