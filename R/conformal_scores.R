# How strange a response is beside what a model predicts.

# The numbers of the scores that have some.
score_numbers <- list(
  quantile = function(lower = 0.05, upper = 0.95) {
    assert_number(lower, "lower", lower = 0, upper = 1)
    assert_number(upper, "upper", lower = 0, upper = 1)
    if (lower >= upper) {
      abort_input(sprintf("`lower` is %s, but must be below `upper`, which is %s.", format(lower),
                          format(upper)), "lower")
    }
    new_score("quantile", lower = lower, upper = upper)
  },
  raps = function(penalty = 0.01, rank = 1) {
    assert_number(penalty, "penalty", lower = 0, open = FALSE)
    assert_number(rank, "rank", lower = 0, open = FALSE, whole = TRUE)
    new_score("raps", penalty = penalty, rank = rank)
  }
)

new_score <- function(name, ...) structure(list(name = name, ...), class = "conformal_score")

#' @exportS3Method
format.conformal_score <- function(x, ...) {
  switch(x$name,
         quantile = sprintf("quantile (fits of the quantiles %s and %s)", format(x$lower),
                            format(x$upper)),
         raps = sprintf("raps (penalty %s beyond rank %s)", format(x$penalty), format(x$rank)),
         x$name)
}

#' @exportS3Method
print.conformal_score <- function(x, ...) {
  assert_no_extra("print()", ...)
  cat("<conformal score> ", format(x), "\n", sep = "")
  invisible(x)
}

# Those of a fit, the default first.
known_scores <- function(fit) {
  if (fit$task == "regression") {
    return(c("absolute", "normalised", "quantile"))
  }
  of_prob <- if (has_probabilities(fit)) c("probability", "aps", "raps")
  if (length(fit$levels) == 2L) c("margin", of_prob) else c(of_prob, "margin")
}

as_score <- function(score, fit) {
  known <- known_scores(fit)
  if (is.null(score)) {
    return(new_score(known[1L]))
  }
  if (!inherits(score, "conformal_score")) score <- named_score(score)
  name <- score$name
  if (!name %in% known) {
    needs <- if (fit$task == "classification" && name %in% c("probability", "aps", "raps")) {
      paste("needs probabilities, which this fit has none of: use loss = \"logistic\", or",
            "margin_calibrate()")
    } else {
      sprintf("is not for a %s", fit$task)
    }
    abort_input(sprintf("`score` is \"%s\", which %s; of this fit there are %s.", name, needs,
                        quote_list(known)), "score")
  }
  score
}

# "aps", "raps", list("raps", rank = 2) -> a score.
named_score <- function(score) {
  given <- if (is.list(score)) score else list(score)
  name <- if (length(given) > 0L) given[[1L]]
  assert_choice(name, c("absolute", "margin", "probability", "normalised", "aps", "quantile", "raps"),
                "score", c(residual = "absolute", normalized = "normalised", lac = "probability",
                           cqr = "quantile"))
  numbers <- given[-1L]
  maker <- score_numbers[[name]]
  known <- if (!is.null(maker)) names(formals(maker))
  if (length(numbers) > length(known) || !all(names(numbers) %in% c("", known)) ||
        anyDuplicated(names(numbers)[nzchar(names(numbers))])) {
    abort_input(sprintf("`score` gives \"%s\" %s, but it takes %s.", name,
                        count(length(numbers), "number"), if (length(known) == 0L) "none" else
                          sprintf("`%s` alone, as in list(\"%s\", %s = %s)",
                                  paste(known, collapse = "`, `"), name, known[1L],
                                  formals(maker)[[1L]])), "score")
  }
  if (length(known) == 0L) new_score(name) else do.call(maker, numbers)
}

# Of rows of x by one model: for a regression the ends that a residual is added to and in which
# units (`lower`, `upper`, `width`, a vector each), else `strange`, a column for each level.
conformal_output <- function(model, x, score) {
  value <- function(fit) unname_rows(score_design(fit, x))
  if (score$name == "quantile") {
    return(list(lower = value(model$lower), upper = value(model$upper), width = rep(1, nrow(x))))
  }
  scores <- value(model$fit)
  if (model$fit$task == "regression") {
    width <- if (is.null(model$spread)) rep(1, nrow(x)) else exp(value(model$spread))
    return(list(lower = scores, upper = scores, width = width))
  }
  list(strange = strangeness(model$fit, scores, score))
}

# How far the response is from what was expected, in the units of the width.
residual_scores <- function(output, y) {
  pmax(output$lower - y, y - output$upper) / output$width
}

strangeness <- function(fit, scores, score) {
  if (score$name == "margin") {
    if (!is.matrix(scores)) {
      return(cbind(scores, -scores))
    }
    return(vapply(seq_len(ncol(scores)), function(k) {
      row_largest(scores[, -k, drop = FALSE]) - scores[, k]
    }, numeric(nrow(scores))))
  }
  prob <- unname(prob_of_fit(fit, scores))
  if (score$name == "probability") {
    return(1 - prob)
  }
  # what is more probable than the label, and the label itself
  strange <- vapply(seq_len(ncol(prob)), function(k) {
    above <- prob > prob[, k]
    rank <- rowSums(above) + 1
    beyond <- if (score$name == "raps") score$penalty * pmax(rank - score$rank, 0) else 0
    rowSums(prob * above) + prob[, k] + beyond
  }, numeric(nrow(prob)))
  matrix(strange, nrow(prob))
}
