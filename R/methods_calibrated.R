# What print() and summary() say of a calibration.

describe_calibration <- function(calibration) {
  if (is.null(calibration)) {
    return(NA_character_)
  }
  folds <- calibration$folds
  repeats <- length(unique(folds$repetition))
  missed <- sum(!folds$certified)
  flat <- flat_maps(calibration)
  paste0(
    c(platt = "Platt", isotonic = "isotonic")[[calibration$method]], " on held out scores, ",
    count(nrow(folds) / repeats, "fold"),
    if (repeats > 1L) sprintf(", %d repetitions", repeats),
    if (missed > 0L) sprintf(", %d of %d refits NOT certified", missed, nrow(folds)),
    if (any(flat)) ", FLAT"
  )
}

# How often the sign of the score and the calibrated probability name different classes, by held out
# scores: the rows (with repetitions, a row each time).
calibration_summary <- function(fit) {
  calibration <- fit$calibration
  if (is.null(calibration)) {
    return(NULL)
  }
  held_out <- calibration$held_out
  at <- calibration$differing
  scores <- if (is.matrix(held_out$score)) held_out$score[at, , drop = FALSE] else held_out$score[at]
  prob <- prob_of_fit(fit, scores)
  differing <- data.frame(
    row = held_out$row[at], repetition = held_out$repetition[at], fold = held_out$fold[at],
    by_score = factor(fit$levels[class_of_scores(scores)], fit$levels),
    by_prob = factor(fit$levels[max.col(prob, "first")], fit$levels)
  )
  list(method = calibration$method, folds = calibration$folds, n = length(held_out$row),
       differing = without_row_names(differing[order(differing$row), ]))
}

print_calibration <- function(calibration, most = 10L) {
  if (is.null(calibration)) {
    return(invisible())
  }
  differing <- calibration$differing
  cat("\nCalibration, on held out scores\n")
  cat(sprintf("  the class of the score has not the largest probability in %s of %s\n",
              format(nrow(differing), big.mark = ","), count(calibration$n, "row")))
  if (nrow(differing) == 0L) {
    return(invisible())
  }
  pairs <- table(sprintf("%s by the score, %s by the probability", differing$by_score,
                         differing$by_prob))
  pairs <- sort(pairs, decreasing = TRUE)
  cat(sprintf("  %d %s\n", utils::head(pairs, most), utils::head(names(pairs), most)), sep = "")
  rows <- unique(differing$row)
  cat(sprintf("  rows %s%s\n", toString(utils::head(rows, most)),
              if (length(rows) > most) ", ...; see summary(fit)$calibration$differing" else ""))
}
