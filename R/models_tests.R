# Tests between the models of a comparison. Two ways: the scores of the folds, or the predictions
# that the first repetition makes of every row.

comparison_tests <- c("corrected_t", "bayes", "mcnemar", "delong")

# A row per pair of models and test.
test_pairs <- function(comparison, tests, metric, rope, level) {
  scores <- fold_scores(comparison, metric$name)
  pairs <- utils::combn(colnames(scores), 2L, simplify = FALSE)
  rows <- lapply(tests, function(test) {
    of_test <- do.call(rbind, lapply(pairs, function(pair) {
      test_pair(test, comparison, scores, pair, metric, rope, level)
    }))
    of_test$adj.p.value <- stats::p.adjust(of_test$p.value, "holm")
    of_test
  })
  table <- do.call(rbind, rows)
  table[c("model_1", "model_2", "test", "estimate", "std.error", "conf.low", "conf.high",
          "statistic", "parameter", "p.value", "adj.p.value", "prob_model_1", "prob_rope",
          "prob_model_2", "relative_gap_1", "relative_gap_2", "certified")]
}

test_pair <- function(test, comparison, scores, pair, metric, rope, level) {
  answer <- switch(
    test,
    corrected_t = , bayes = fold_pair(test, scores, pair, metric, rope, level),
    mcnemar = mcnemar_pair(first_predictions(comparison), pair),
    delong = delong_pair(first_predictions(comparison), pair, comparison$levels, level)
  )
  empty <- list(estimate = NA_real_, std.error = NA_real_, conf.low = NA_real_,
                conf.high = NA_real_, statistic = NA_real_, parameter = NA_real_,
                p.value = NA_real_, prob_model_1 = NA_real_, prob_rope = NA_real_,
                prob_model_2 = NA_real_)
  quality <- lapply(pair, model_quality, results = comparison$results)
  data.frame(
    model_1 = pair[1L], model_2 = pair[2L], test = test, utils::modifyList(empty, answer),
    relative_gap_1 = quality[[1L]]$relative_gap, relative_gap_2 = quality[[2L]]$relative_gap,
    certified = if (length(answer)) quality[[1L]]$certified & quality[[2L]]$certified else NA
  )
}

# Scores with a row per resample and a column per model; attribute sizes: n_train and n_test.
fold_scores <- function(comparison, metric) {
  results <- comparison$results
  column <- if (metric == names(comparison$metrics)[1L]) "score" else metric
  by_model <- split(results, results$model)
  scores <- vapply(by_model, function(rows) rows[[column]], numeric(nrow(by_model[[1L]])))
  scores <- matrix(scores, ncol = length(by_model), dimnames = list(NULL, names(by_model)))
  structure(scores, sizes = by_model[[1L]][c("n_train", "n_test")])
}

# The worst gap of a model's fits, and whether all are certified: NA where that is not known.
model_quality <- function(model, results) {
  rows <- results[results$model == model, ]
  list(relative_gap = worst_known(rows$relative_gap), certified = all(rows$certified))
}

# ---- From the scores of the folds ----

# Nothing where a model has no scores, such as log losses without probabilities.
fold_pair <- function(test, scores, pair, metric, rope, level) {
  known <- stats::complete.cases(scores[, pair])
  if (sum(known) < 2L) {
    return(list())
  }
  sizes <- attr(scores, "sizes")[known, , drop = FALSE]
  difference <- (scores[, pair[1L]] - scores[, pair[2L]])[known]
  spread <- corrected_spread(difference, sizes)
  if (test == "bayes") {
    correlated_t_posterior(difference, spread, rope, level, metric$maximize)
  } else {
    corrected_t_test(difference, spread, level)
  }
}

# The standard error of a mean of J differences whose training rows overlap: the variance is
# (1/J + n_test/n_train) s^2 and not s^2 / J.
corrected_spread <- function(difference, sizes) {
  sqrt((1 / length(difference) + sum(sizes$n_test) / sum(sizes$n_train)) * stats::var(difference))
}

# Nadeau and Bengio: t of the mean difference over its corrected standard error.
corrected_t_test <- function(difference, spread, level) {
  df <- length(difference) - 1
  estimate <- mean(difference)
  half <- stats::qt((1 + level) / 2, df) * spread
  # no spread: the models differ in no fold, or in all alike
  statistic <- if (spread > 0) estimate / spread else if (estimate == 0) 0 else sign(estimate) * Inf
  list(estimate = estimate, std.error = spread, conf.low = estimate - half,
       conf.high = estimate + half, statistic = statistic, parameter = df,
       p.value = 2 * stats::pt(-abs(statistic), df))
}

# The posterior of the mean difference is a t distribution with J - 1 degrees of freedom around the
# mean, with the corrected standard error as its scale.
correlated_t_posterior <- function(difference, spread, rope, level, maximize) {
  df <- length(difference) - 1
  estimate <- mean(difference)
  # without spread all of the mass is at the mean
  below <- function(at) {
    if (spread > 0) stats::pt((at - estimate) / spread, df) else as.double(estimate < at)
  }
  left <- below(-rope)
  right <- if (spread > 0) stats::pt((rope - estimate) / spread, df, lower.tail = FALSE) else
    as.double(estimate > rope)
  half <- stats::qt((1 + level) / 2, df) * spread
  list(estimate = estimate, std.error = spread, conf.low = estimate - half,
       conf.high = estimate + half, parameter = df, prob_model_1 = if (maximize) right else left,
       prob_rope = max(0, 1 - left - right), prob_model_2 = if (maximize) left else right)
}

# ---- From the predictions of every row ----

# Those of the first repetition; NULL where a row is held out twice there, as in a bootstrap.
first_predictions <- function(comparison) {
  predictions <- comparison$predictions
  first <- predictions[predictions$repetition == predictions$repetition[1L], ]
  by_model <- split(first, first$model)
  by_model <- lapply(by_model, function(rows) rows[order(rows$row), ])
  if (anyDuplicated(by_model[[1L]]$row)) NULL else by_model
}

mcnemar_pair <- function(predictions, pair) {
  right <- lapply(predictions[pair], function(rows) {
    factor(rows$class == rows$truth, levels = c(TRUE, FALSE))
  })
  counts <- table(right[[1L]], right[[2L]])
  estimate <- (counts[1L, 2L] - counts[2L, 1L]) / sum(counts)
  # without a row on which they differ there is nothing to test
  if (counts[1L, 2L] + counts[2L, 1L] == 0) {
    return(list(estimate = 0, statistic = 0, parameter = 1, p.value = 1))
  }
  test <- stats::mcnemar.test(counts)
  list(estimate = estimate, statistic = unname(test$statistic),
       parameter = unname(test$parameter), p.value = test$p.value)
}

# Decision values of different fits have no common origin or unit, so rows are ranked within their
# fold: the mean over the folds of the differences in area, whose variance is that of a mean of V
# independent ones, each DeLong's of its fold.
delong_pair <- function(predictions, pair, levels, level) {
  of_models <- predictions[pair]
  folds <- split(seq_len(nrow(of_models[[1L]])), of_models[[1L]]$fold)
  within <- vapply(folds, function(at) {
    delong_parts(of_models[[1L]]$truth[at] == levels[2L],
                 lapply(of_models, function(rows) rows$score[at]))
  }, c(difference = 0, variance = 0))
  estimate <- mean(within["difference", ])
  spread <- sqrt(sum(within["variance", ])) / length(folds)
  half <- stats::qnorm((1 + level) / 2) * spread
  # no variance: both rank all rows alike, or all pairs
  statistic <- if (spread > 0) estimate / spread else if (estimate == 0) 0 else sign(estimate) * Inf
  list(estimate = estimate, std.error = spread, conf.low = estimate - half,
       conf.high = estimate + half, statistic = statistic,
       p.value = 2 * stats::pnorm(-abs(statistic)))
}

# The difference of two areas on the same rows and its variance: by the shares of the other class
# that each row outranks, equations (4) to (8) of DeLong and others.
delong_parts <- function(positive, scores) {
  shares <- lapply(scores, function(score) {
    up <- score[positive]
    down <- score[!positive]
    ranks <- rank(c(up, down))
    m <- length(up)
    n <- length(down)
    list(up = (ranks[seq_len(m)] - rank(up)) / n,
         down = 1 - (ranks[m + seq_len(n)] - rank(down)) / m)
  })
  up <- shares[[1L]]$up - shares[[2L]]$up
  down <- shares[[1L]]$down - shares[[2L]]$down
  c(difference = mean(up), variance = stats::var(up) / length(up) + stats::var(down) / length(down))
}

# The fewest held-out rows of a class in a fold of the first repetition.
fewest_in_fold <- function(comparison) {
  rows <- first_predictions(comparison)[[1L]]
  min(table(rows$fold, factor(rows$truth, comparison$levels)))
}

# ---- Which tests can be made ----

# Evidence: NULL when the test can be made, or why not.
check_test <- function(test, comparison) {
  predictions <- comparison$predictions
  of_rows <- test %in% c("mcnemar", "delong")
  if (of_rows && comparison$task == "regression") {
    return("needs classes, and this is a regression")
  }
  if (of_rows && comparison$weighted) {
    return("takes no weights")
  }
  if (of_rows && is.null(first_predictions(comparison))) {
    return("needs folds that hold every row out once")
  }
  if (test == "delong" && length(comparison$levels) != 2L) {
    return(sprintf("is for two classes, and there are %d", length(comparison$levels)))
  }
  if (test == "delong" && anyNA(predictions$score)) {
    return(sprintf("needs decision values, which model \"%s\" has none of",
                   predictions$model[is.na(predictions$score)][1L]))
  }
  if (test == "delong" && fewest_in_fold(comparison) < 2L) {
    return(paste("ranks rows within their fold, and a fold holds out fewer than two rows of a",
                 "class; use fewer folds"))
  }
  NULL
}

# NULL: all that can be made. An attribute `left_out` says why others cannot.
choose_tests <- function(tests, comparison) {
  asked <- if (is.null(tests)) comparison_tests else tests
  if (!is.character(asked) || length(asked) == 0L) {
    abort_input(sprintf("`tests` is %s, but must be names among %s.", show_value(tests),
                        quote_list(comparison_tests)), "tests")
  }
  for (test in asked) assert_choice(test, comparison_tests, "tests")
  why_not <- unlist(sapply(unique(asked), check_test, comparison = comparison, simplify = FALSE))
  if (!is.null(tests) && length(why_not) > 0L) {
    abort_input(sprintf("`tests` has \"%s\", which %s.", names(why_not)[1L], why_not[[1L]]),
                "tests")
  }
  structure(setdiff(unique(asked), names(why_not)), left_out = why_not)
}
