# What a calibration says: warnings when it is made, and in print() and summary().

signal_calibration <- function(fit) {
  calibration <- fit$calibration
  signal_fits(
    calibration$folds, "refits that hold rows out", function(worst) sprintf("fold %d", worst$fold),
    "Their decision values depend on where the solver stopped. Fit with more max_epochs first."
  )
  flat <- flat_maps(calibration)
  if (any(flat)) {
    warning(structure(
      class = c("dualmargin_flat_map", "warning", "condition"),
      list(message = sprintf(paste(
        "Non-increasing calibration: cross-validated decision values%s do not rise with the",
        "share of the class, so every row gets the same probability. The fit says no more about",
        "new rows than the class shares do."
      ), if (length(flat) > 1L) paste(" of", quote_list(fit$levels[flat], 5L)) else ""),
      call = NULL, class = if (length(flat) > 1L) fit$levels[flat])
    ))
  }
  fit
}

flat_maps <- function(calibration) vapply(calibration$maps, function(map) map$flat, NA)

describe_calibration <- function(calibration) {
  if (is.null(calibration)) {
    return(NA_character_)
  }
  folds <- calibration$folds
  repeats <- length(unique(folds$repetition))
  missed <- sum(!folds$certified)
  flat <- flat_maps(calibration)
  paste0(
    c(platt = "Platt", isotonic = "isotonic")[[calibration$method]],
    " on cross-validated decision values, ",
    count(nrow(folds) / repeats, "fold"),
    if (repeats > 1L) sprintf(", %d repetitions", repeats),
    if (missed > 0L) sprintf(", %d of %d refits NOT certified", missed, nrow(folds)),
    if (any(flat)) ", NON-INCREASING"
  )
}

# How often the sign of the decision value and the calibrated probability name different classes,
# by cross-validated decision values: the rows (with repetitions, a row each time).
calibration_summary <- function(fit) {
  calibration <- fit$calibration
  if (is.null(calibration)) {
    return(NULL)
  }
  held_out <- calibration$held_out
  at <- calibration$differing
  scores <- some_scores(held_out$score, at)
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
  cat("\nCalibration, cross-validated\n")
  cat(sprintf("  decision value and probability name different classes in %s of %s\n",
              format(nrow(differing), big.mark = ","), count(calibration$n, "row")))
  if (nrow(differing) == 0L) {
    return(invisible())
  }
  pairs <- table(sprintf("%s by the decision value, %s by the probability", differing$by_score,
                         differing$by_prob))
  pairs <- sort(pairs, decreasing = TRUE)
  cat(fold_lines(sprintf("  %d %s", utils::head(pairs, most), utils::head(names(pairs), most))),
      sep = "\n")
  rows <- unique(differing$row)
  cat(sprintf("  rows %s%s\n", toString(utils::head(rows, most)),
              if (length(rows) > most) ", ...; see summary(fit)$calibration$differing" else ""))
}
