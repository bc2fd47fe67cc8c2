# What a model answers for new rows: read once, checked, and brought to one form.

# raw: what predict_fun returned for n rows -> list(class, score, prob), parts that cannot be had
# being NULL; in a regression list(response).
read_prediction <- function(raw, n, levels) {
  if (is.null(levels)) {
    return(list(response = numbers_predicted(raw, n)))
  }
  parts <- if (is.factor(raw) || is.character(raw)) {
    list(class = raw)
  } else if (is.list(raw) && !is.data.frame(raw)) {
    raw
  } else {
    list(score = raw)
  }
  stray <- setdiff(names(parts), c("class", "score", "prob"))
  if (length(parts) == 0L || is.null(names(parts)) || length(stray) > 0L) {
    abort_input(sprintf(paste(
      "`predict_fun` returned a list of %s, but must return class, score or prob, or a list of",
      "these."
    ), if (length(stray) > 0L) quote_list(stray) else "parts without names"), "predict_fun")
  }
  prob <- if (!is.null(parts$prob)) probabilities_predicted(parts$prob, n, levels)
  score <- if (!is.null(parts$score)) scores_predicted(parts$score, n, levels) else
    if (!is.null(prob)) score_of_prob(prob)
  class <- if (!is.null(parts$class)) classes_predicted(parts$class, n, levels) else
    factor(levels[class_of_scores(score)], levels = levels)
  list(class = class, score = score, prob = prob)
}

score_of_prob <- function(prob) if (ncol(prob) == 2L) prob[, 2L] - prob[, 1L] else prob

numbers_predicted <- function(raw, n) {
  if (!is.numeric(raw) || is.object(raw) || NCOL(raw) != 1L) {
    abort_input(sprintf("`predict_fun` returned %s, but in a regression must return numbers.",
                        show_value(raw)), "predict_fun")
  }
  assert_rows_predicted(length(raw), n)
  assert_numbers_predicted(raw, "prediction")
  as.vector(raw)
}

classes_predicted <- function(class, n, levels) {
  assert_rows_predicted(length(class), n)
  if (anyNA(class)) {
    abort_input(sprintf("`predict_fun` returned no class for row %d.", which(is.na(class))[1L]),
                "predict_fun")
  }
  unknown <- setdiff(as.character(class), levels)
  if (length(unknown) > 0L) {
    abort_input(sprintf("`predict_fun` returned the class \"%s\"; the levels are %s.", unknown[1L],
                        quote_list(levels)), "predict_fun")
  }
  factor(as.character(class), levels = levels)
}

scores_predicted <- function(score, n, levels) {
  if (!is.numeric(score) || is.object(score)) {
    abort_input(sprintf("`predict_fun` returned %s for decision values, but must return numbers.",
                        show_value(score)), "predict_fun")
  }
  assert_rows_predicted(NROW(score), n)
  assert_numbers_predicted(score, "score")
  if (length(levels) == 2L) {
    if (NCOL(score) != 1L) {
      abort_input(sprintf(paste(
        "`predict_fun` returned %d columns of decision values, but for two levels must return one",
        "a row, that of the second."
      ), NCOL(score)), "predict_fun")
    }
    return(as.vector(score))
  }
  columns_of_levels(score, levels, "decision values")
}

probabilities_predicted <- function(prob, n, levels) {
  prob <- as.matrix(prob)
  assert_rows_predicted(nrow(prob), n)
  prob <- columns_of_levels(prob, levels, "probabilities")
  assert_numbers_predicted(prob, "probability")
  if (any(prob < 0) || any(abs(rowSums(prob) - 1) > 1e-6)) {
    abort_input("`predict_fun` returned probabilities below 0, or rows that do not sum to one.",
                "predict_fun")
  }
  prob
}

# In the order of the levels, by name where there are names.
columns_of_levels <- function(values, levels, what) {
  if (!is.matrix(values) || ncol(values) != length(levels)) {
    abort_input(sprintf("`predict_fun` returned %s of %s, but must return one for each of %s.",
                        count(NCOL(values), "column"), what, count(length(levels), "level")),
                "predict_fun")
  }
  if (!is.null(colnames(values))) {
    if (!setequal(colnames(values), levels)) {
      abort_input(sprintf("`predict_fun` named the columns of %s %s; the levels are %s.", what,
                          quote_list(colnames(values)), quote_list(levels)), "predict_fun")
    }
    values <- values[, levels, drop = FALSE]
  }
  matrix(as.double(values), nrow(values), dimnames = list(NULL, levels))
}

assert_rows_predicted <- function(given, n) {
  if (given != n) {
    abort_input(sprintf("`predict_fun` returned predictions for %s, but was asked for %d.",
                        count(given, "row"), n), "predict_fun")
  }
}

assert_numbers_predicted <- function(values, what) {
  if (!all(is.finite(values))) {
    abort_input(sprintf("`predict_fun` returned the %s %s; it must be a finite number.", what,
                        format(values[!is.finite(values)][1L])), "predict_fun")
  }
}
