#' Predictions from a fit
#'
#' Predicts classes, probabilities or responses for new rows.
#'
#' The *decision value* of a row is \eqn{z = w'x + b}, with the offset of the row if the fit has
#' one, in the units of the loss. A fit of two classes predicts its second level (`TRUE`, +1) where
#' \eqn{z \ge 0}, so a tie counts as positive. A fit of more classes predicts the level with the
#' largest decision value, the first of equal ones. For a regression the decision value is the
#' prediction itself.
#'
#' Columns are found by name, extra columns are ignored, missing columns and new factor levels are
#' errors. A row of `newdata` with a missing or infinite value gives `NA`, so there are always as many
#' predictions as rows. Sparse matrices stay sparse. Predicted classes do not depend on
#' probabilities, unless a threshold of the probability is given here or by [margin_threshold()].
#'
#' Probabilities come from the logistic loss, \eqn{P(+1 | x) = 1 / (1 + e^{-z})}; with more
#' than two classes the one-vs-rest probabilities are divided by their sum, except for a
#' multinomial kernel fit, whose probabilities are those of its model, \eqn{e^{z_k} / \sum_l
#' e^{z_l}}{exp(z_k) / sum_l exp(z_l)}. The other losses do not estimate a probability, and asking
#' for one is an error, until [margin_calibrate()] has learnt it from cross-validated decision
#' values. A fit that was calibrated, of whatever loss, gives the calibrated probability. With
#' `class_weights` those of a logistic fit that is not calibrated refer to the reweighted classes.
#'
#' @param object a fit.
#' @param newdata rows to predict: rows in a file that [read_rows()] has opened, which are read
#'   block by block, or a data frame with the variables of the formula, or a matrix (any
#'   Matrix class) or data frame with the columns of the `x` that was fitted. Without it, the
#'   training rows; rows that `na.exclude` left out of the fit come back as `NA`, as in
#'   [stats::predict.lm()].
#' @param type `"class"`, `"score"`, `"prob"`, or `"response"`, for a classification the same as
#'   `"class"`. `NULL` is the class, or the number of a regression.
#' @param threshold for classes of a binary fit: `NULL`, which is that of the fit (0 unless
#'   [margin_threshold()] has set another); a number; or the threshold of a fit, `fit$threshold`. The second
#'   level is predicted where the decision value, or its probability, is at least that.
#' @param on what a number as `threshold` is: a decision value (`"score"`) or a probability of the
#'   second level (`"prob"`).
#' @param file for rows that [read_rows()] has opened: the name of a CSV file, which must not exist,
#'   that the predictions are written to block by block, one line a row in their order under a line
#'   of names (`prediction`, or the levels), numbers with 17 digits. `NULL` returns them.
#' @param newoffset of a fit with an `offset` that was no term of a formula, or for rows in a file:
#'   the offset of each row of `newdata`, a numeric vector. Where it is missing `NA`, so is the
#'   prediction.
#' @param ... nothing: unknown arguments are errors.
#' @return One entry or row for each row of `newdata`; with `file` its name, invisibly.
#'   * `"class"`: what the fit was given: a factor with the training levels (also for a character
#'     response, which was turned into a factor), a logical vector, or numbers -1 and +1, or 0 and
#'     1.
#'   * `"score"`: a numeric vector; for k > 2 classes a matrix with one column for each level.
#'   * `"prob"`: a matrix with one column for each level (two for a binary fit), rows summing to
#'     one.
#'   * `"response"`: for a regression a numeric vector; of several quantiles ([loss_quantile()]) a
#'     matrix with one column for each `tau`, sorted within the rows where they cross, which a
#'     message says.
#' @examples
#' train <- seq(1, nrow(iris), by = 2)
#' test <- iris[-train, ]
#' fit <- margin_linear(Species ~ ., data = iris[train, ], loss = "logistic")
#' table(predicted = predict(fit, test), observed = test$Species)
#' new <- test[c(1, 26, 51), 1:4]
#' predict(fit, new, type = "score")
#' round(predict(fit, new, type = "prob"), 3)
#' @export
predict.margin_fit <- function(object, newdata, type = NULL, threshold = NULL,
                               on = c("score", "prob"), file = NULL, newoffset = NULL, ...) {
  assert_no_extra("predict()", ...)
  assert_fit(object, "object")
  type <- prediction_type(object, type)
  given <- if (!missing(on)) one_of(on, c("score", "prob"), "on")
  if (!is.null(threshold) && !type %in% c("class", "response")) {
    abort_input(sprintf(
      "`threshold` is given, but `type` is \"%s\", which has none; use \"class\".", type
    ), "threshold")
  }
  threshold <- as_threshold(threshold, object, given)
  if (!is.null(file)) {
    return(predict_to_file(object, newdata, type, threshold, file))
  }
  if (missing(newdata)) {
    if (!is.null(newoffset)) {
      abort_input("`newoffset` is given without `newdata`; the training rows have their own.",
                  "newoffset")
    }
    scores <- stats::napredict(object$na.action, object$scores)
  } else if (is.null(newdata)) {
    abort_input(
      "`newdata` is NULL; give the rows to predict, or leave it out for the training rows.",
      "newdata"
    )
  } else {
    scores <- score_rows(object, newdata, newoffset)
  }
  tell_crossed(object, scores, type)
  present_scores(object, scores, type, threshold)
}

# ---- What can be asked for ----

# Of any fit of rows with a response, and of a fit of one class, too.
prediction_types <- function(fit = NULL) {
  c("class", "score", "prob", "response", if (identical(fit$task, "one_class")) "distance")
}

# The type that was asked for, NULL being the response, if this fit has it: known before any row is
# read. types: those that there are; instead: a type that every fit has.
prediction_type <- function(fit, type, types = prediction_types(fit), instead = "score") {
  if (is.null(type)) {
    return("response")
  }
  assert_choice(type, types, "type", prediction_aliases)
  if (fit$task == "regression" && type %in% c("class", "prob")) {
    abort_input(sprintf(
      "`type` is \"%s\", but this fit is a regression and has no classes; use \"response\".", type
    ), "type")
  }
  if (type == "prob") refuse_probability(fit, instead)
  # A glm gives probabilities for "response": of classes the word is answered, and told.
  if (type == "response" && fit$task != "regression" && "score" %in% types) {
    inform("`type` is \"response\", which gives the classes; probabilities are type = \"prob\".")
  }
  type
}

refuse_probability <- function(fit, instead) {
  loss <- loss_name(fit)
  if (fit$task == "one_class") {
    abort_input(sprintf(
      "`type` is \"prob\", but a fit of one class estimates no probability; use type = \"%s\".",
      instead
    ), "type")
  }
  if (!has_probabilities(fit)) {
    remedies <- c(if (inherits(fit, "margin_fit")) "calibrate the fit with margin_calibrate()",
                  if (!is.na(loss)) "refit with update(fit, loss = \"logistic\")",
                  sprintf("use type = \"%s\"", instead))
    abort_input(sprintf(
      "`type` is \"prob\", but the %s loss of this fit estimates no probability; %s.",
      if (is.na(loss)) "hinge" else loss, paste(remedies, collapse = ", or ")
    ), "type")
  }
}

has_probabilities <- function(fit) {
  !is.null(fit$calibration) || identical(loss_name(fit), "logistic")
}

# Scores of new rows: numeric n, or n x k; NA in the rows that cannot be scored.
score_rows <- function(fit, newdata, newoffset = NULL) {
  scores_of_design(fit, design_newdata(fit, newdata, on_disk = TRUE), newoffset)
}

scores_of_design <- function(fit, design, newoffset = NULL) {
  scores <- add_offset(score_design(fit, design$x), fit, design, newoffset)
  if (is.matrix(scores)) scores[design$na_rows, ] <- NA else scores[design$na_rows] <- NA
  scores
}

# What a model is made of: coefficients of columns, or of rows and a kernel. A column of scores for
# each column of `coefficients`, as scoring_coefficients() has them, with the intercept first if the
# model has one; a vector if it is one.
score_design <- function(model, x, coefficients = scoring_coefficients(model)) {
  if (is_rows(x)) {
    return(score_blocks(x, function(block) score_design(model, block, coefficients)))
  }
  UseMethod("score_design")
}

#' @exportS3Method
score_design.default <- function(model, x, coefficients = scoring_coefficients(model)) {
  linear_scores(moved_rows(model, x), coefficients, has_intercept(model))
}

# From scores to the answer asked for.
present_scores <- function(fit, scores, type, threshold = fit[["threshold"]]) {
  if (type == "response") type <- if (fit$task == "regression") "number" else "class"
  switch(type, score = scores, prob = prob_of_fit(fit, scores),
         class = as_response(fit, class_by(fit, scores, threshold)),
         number = if (has_quantiles(fit)) rearranged(scores) else scores,
         distance = centre_distances(fit, scores))
}

prob_of_fit <- function(fit, scores) {
  if (!is.null(fit$calibration)) {
    log_odds <- map_scores(fit$calibration, mapped_scores(fit, scores))
    return(prob_of_scores(log_odds, fit$levels))
  }
  if (class_model(fit)$smooth) softmax_of_scores(scores) else prob_of_scores(scores, fit$levels)
}

# Index of the predicted level. A binary tie is the second level, a tie between several the first of
# them.
class_of_scores <- function(scores) {
  if (!is.matrix(scores)) {
    return(1L + (scores >= 0))
  }
  index <- max.col(replace(scores, is.na(scores), -Inf), ties.method = "first")
  index[rowSums(is.na(scores)) > 0] <- NA
  stats::setNames(index, rownames(scores))
}

# Level indices in the type of the training response.
as_response <- function(fit, index) {
  if (fit$response_type == "logical") {
    return(index == 2L)
  }
  if (fit$response_type %in% names(label_values)) {
    return(stats::setNames(label_values[[fit$response_type]][index], names(index)))
  }
  classes <- factor(fit$levels[index], levels = fit$levels, ordered = is.ordered(fit$response))
  names(classes) <- names(index)
  classes
}

# 1 / (1 + exp(-z)), for several classes divided by the row sum. Logarithms, so that a row in which
# every class is unlikely does not become 0 / 0.
prob_of_scores <- function(scores, levels) {
  if (!is.matrix(scores)) {
    prob <- cbind(stats::plogis(-scores), stats::plogis(scores))
    dimnames(prob) <- list(names(scores), levels)
    return(prob)
  }
  log_prob <- scores
  log_prob[] <- stats::plogis(scores, log.p = TRUE) # plogis() of no rows has no dimensions
  prob <- exp(log_prob - row_largest(log_prob))
  colnames(prob) <- levels
  prob / rowSums(prob)
}

# e^z_k / sum_l e^z_l
softmax_of_scores <- function(scores) {
  prob <- exp(scores - row_largest(scores))
  prob / rowSums(prob)
}

row_largest <- function(scores) do.call(pmax, unname(as.data.frame(scores)))
