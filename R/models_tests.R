#' Friedman and Nemenyi tests over several data sets
#'
#' Ranks the models within each data set (1 is the best; ties, scores that differ by rounding alone,
#' share their ranks), tests by
#' Friedman's test whether the mean ranks differ at all, and by Nemenyi's which pairs differ. Two
#' models whose mean ranks differ by less than the *critical difference*
#' \deqn{CD = \frac{q_{level}(k, \infty)}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 N}}}{
#'   CD = q_level(k, Inf) / sqrt(2) * sqrt(k (k + 1) / (6 N))}
#' are not distinguished, with k models, N data sets and q the quantile of the studentised range
#' ([stats::qtukey()]).
#'
#' @param scores A matrix or data frame of mean scores with a row per data set and a named column
#'   per model; or a list of two or more results of [margin_compare()] of the same models, named by
#'   data set.
#' @param metric For a list, the name of one of the metrics; the first if `NULL`.
#' @param maximize Is more better? For a list the metric says so.
#' @param level One less the size of the tests.
#' @param x A result of `friedman_nemenyi()`.
#' @param digits Significant digits.
#' @param ... For `plot()` further graphical parameters, such as `main`; else nothing: unknown
#'   arguments are errors.
#' @return A list of class `"friedman_nemenyi"`:
#'   * `ranks`: a data frame with a row per model, best first: `model`, `mean_rank`, `mean` score,
#'     `relative_gap` (the worst of its fits on any data set) and `certified` (are all of them?),
#'     both `NA` where unknown, as for a matrix of scores;
#'   * `friedman`: the test of [stats::friedman.test()];
#'   * `pairs`: a data frame with a row per pair: `model_1`, `model_2`, `difference` of their mean
#'     ranks, `p.value` (of the studentised range, [stats::ptukey()], so adjusted for all pairs),
#'     `relative_gap_1`, `relative_gap_2`, `certified`;
#'   * `critical_difference`, `scores`, `metric`, `level`.
#'
#'   `tidy()`: the data frame `pairs`; `as.data.frame()`: `ranks`. `glance()`: one row: `n_models`,
#'   `n_sets`, `metric`, the `best` model and its `mean_rank`, `statistic`, `p.value` and `parameter`
#'   (degrees of freedom) of the Friedman test, `critical_difference`, `level` and `certified` (are
#'   all fits?). `plot()`: Demsar's diagram, the models on an axis of mean
#'   ranks; a bar joins those that differ by less than the critical difference, which is drawn
#'   above. A model with a fit that is not certified is hollow. It returns `ranks`, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: less than two data sets or models, a score that is missing,
#' comparisons of different models.
#' @references
#' Demsar J (2006). Statistical comparisons of classifiers over multiple data sets. *Journal of
#' Machine Learning Research* 7, 1-30.
#'
#' Nemenyi PB (1963). *Distribution-free multiple comparisons*. PhD thesis, Princeton University.
#'
#' Friedman M (1937). The use of ranks to avoid the assumption of normality implicit in the analysis
#' of variance. *Journal of the American Statistical Association* 32, 675-701.
#' \doi{10.1080/01621459.1937.10503522}.
#' @seealso [margin_compare()], [summary.model_comparison()] for tests on one data set.
#' @examples
#' specs <- list(hinge = spec_margin("linear", loss = "hinge"),
#'               logistic = spec_margin("linear", loss = "logistic"),
#'               robust = spec_margin("robust", radius = 0.05, intercept = "penalized"))
#' some <- spambase[seq(1, nrow(spambase), by = 40), ]
#' on_sets <- list(
#'   spam = margin_compare(type ~ ., some, specs, folds = 3, seed = 1),
#'   cars = margin_compare(factor(am) ~ mpg + wt + hp, mtcars, specs, folds = 3, seed = 1),
#'   flowers = margin_compare(Species == "versicolor" ~ ., iris, specs, folds = 3, seed = 1)
#' )
#' ranks <- friedman_nemenyi(on_sets)
#' ranks
#' plot(ranks)
#' @export
friedman_nemenyi <- function(scores, metric = NULL, maximize = TRUE, level = 0.95, ...) {
  assert_no_extra("friedman_nemenyi()", ...)
  assert_flag(maximize, "maximize")
  assert_number(level, "level", lower = 0, upper = 1, remedy = "the default is 0.95")
  quality <- NULL
  if (is.list(scores) && !is.data.frame(scores)) {
    assert_comparisons(scores)
    metric <- comparison_metric(scores[[1L]], metric)
    maximize <- metric$maximize
    quality <- quality_over_sets(scores)
    scores <- means_over_sets(scores, metric$name)
    metric <- metric$name
  } else if (!is.null(metric)) {
    abort_input("`metric` is for a list of comparisons; a matrix of scores has one kind only.",
                "metric")
  }
  scores <- as_score_matrix(scores)
  new_friedman_nemenyi(scores, quality, metric, maximize, level)
}

new_friedman_nemenyi <- function(scores, quality, metric, maximize, level) {
  k <- ncol(scores)
  sets <- nrow(scores)
  ranked <- t(apply(if (maximize) -scores else scores, 1L, rank_with_ties))
  mean_rank <- colMeans(ranked)
  models <- colnames(scores)
  if (is.null(quality)) {
    quality <- data.frame(relative_gap = rep(NA_real_, k), certified = NA, row.names = models)
  }
  pairs <- utils::combn(k, 2L)
  first <- pairs[1L, ]
  second <- pairs[2L, ]
  order <- order(mean_rank)
  structure(
    list(
      ranks = data.frame(model = models, mean_rank = mean_rank, mean = colMeans(scores), quality,
                         row.names = NULL)[order, ],
      friedman = stats::friedman.test(unname(ranked)),
      pairs = data.frame(
        model_1 = models[first], model_2 = models[second],
        difference = unname(mean_rank[first] - mean_rank[second]),
        p.value = nemenyi_p(unname(mean_rank[first] - mean_rank[second]), k, sets),
        relative_gap_1 = quality$relative_gap[first], relative_gap_2 = quality$relative_gap[second],
        certified = quality$certified[first] & quality$certified[second]
      ),
      critical_difference = critical_difference(k, sets, level), scores = scores, metric = metric,
      level = level
    ),
    class = "friedman_nemenyi"
  )
}

# Means of the same scores, added up in another order, differ in their last digits: that is a tie.
rank_with_ties <- function(scores) {
  from_low <- order(scores)
  apart <- diff(scores[from_low]) > 1e-12 * max(abs(scores))
  place <- integer(length(scores))
  place[from_low] <- cumsum(c(TRUE, apart))
  rank(place)
}

critical_difference <- function(k, sets, level) {
  stats::qtukey(level, k, Inf) / sqrt(2) * sqrt(k * (k + 1) / (6 * sets))
}

# The level at which a difference of mean ranks would be critical: adjusted for all pairs.
nemenyi_p <- function(difference, k, sets) {
  stats::ptukey(abs(difference) * sqrt(2) / sqrt(k * (k + 1) / (6 * sets)), k, Inf,
                lower.tail = FALSE)
}

assert_comparisons <- function(comparisons) {
  if (length(comparisons) == 0L) {
    abort_input("`scores` is an empty list; give a matrix, or results of margin_compare().",
                "scores")
  }
  for (i in seq_along(comparisons)) {
    if (!inherits(comparisons[[i]], "model_comparison")) {
      abort_input(sprintf("`scores` holds %s at position %d; use results of margin_compare().",
                          show_value(comparisons[[i]]), i), "scores")
    }
    assert_model_comparison(comparisons[[i]], "scores")
    models <- levels(comparisons[[i]]$results$model)
    if (!setequal(models, levels(comparisons[[1L]]$results$model))) {
      abort_input(sprintf(
        "`scores` compares %s at position %d and %s at the first; use the same models.",
        quote_list(models), i, quote_list(levels(comparisons[[1L]]$results$model))
      ), "scores")
    }
  }
}

means_over_sets <- function(comparisons, metric) {
  models <- levels(comparisons[[1L]]$results$model)
  means <- vapply(comparisons, function(comparison) {
    assert_choice(metric, names(comparison$metrics), "metric")
    colMeans(fold_scores(comparison, metric), na.rm = TRUE)[models]
  }, numeric(length(models)))
  matrix(t(means), ncol = length(models), dimnames = list(names(comparisons), models))
}

quality_over_sets <- function(comparisons) {
  models <- levels(comparisons[[1L]]$results$model)
  all <- do.call(rbind, lapply(comparisons, function(comparison) {
    comparison$results[c("model", "relative_gap", "certified")]
  }))
  rows <- lapply(models, function(model) as.data.frame(model_quality(model, all)))
  data.frame(do.call(rbind, rows), row.names = models)
}

as_score_matrix <- function(scores) {
  if (!is.data.frame(scores) && !is.matrix(scores)) {
    abort_input(sprintf(paste(
      "`scores` is %s, but must be a matrix with a row per data set and a column per model, or a",
      "list of comparisons."
    ), show_value(scores)), "scores")
  }
  scores <- as.matrix(scores)
  if (!is.numeric(scores) || !all(is.finite(scores))) {
    abort_input("`scores` must hold finite numbers only; leave a data set without one out.",
                "scores")
  }
  if (is.null(colnames(scores)) || anyDuplicated(colnames(scores))) {
    abort_input("`scores` must have a column name of its own for every model.", "scores")
  }
  if (nrow(scores) < 2L || ncol(scores) < 2L) {
    abort_input(sprintf("`scores` has %s and %s; ranks need two of each.",
                        count(nrow(scores), "data set"), count(ncol(scores), "model")), "scores")
  }
  scores
}

#' @rdname friedman_nemenyi
#' @export
tidy.friedman_nemenyi <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$pairs)
}

#' @rdname friedman_nemenyi
#' @param row.names,optional As for [base::as.data.frame()]; without effect.
#' @export
as.data.frame.friedman_nemenyi <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  without_row_names(x$ranks)
}

#' @rdname friedman_nemenyi
#' @export
glance.friedman_nemenyi <- function(x, ...) {
  assert_no_extra("glance()", ...)
  as_tibble_if_installed(data.frame(
    n_models = ncol(x$scores), n_sets = nrow(x$scores),
    metric = if (is.null(x$metric)) NA_character_ else x$metric, best = x$ranks$model[1L],
    mean_rank = x$ranks$mean_rank[1L], statistic = unname(x$friedman$statistic),
    p.value = x$friedman$p.value, parameter = unname(x$friedman$parameter),
    critical_difference = x$critical_difference, level = x$level,
    certified = all(x$ranks$certified)
  ))
}

#' @rdname friedman_nemenyi
#' @export
print.friedman_nemenyi <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<friedman_nemenyi> %s on %s%s\n", count(ncol(x$scores), "model"),
              count(nrow(x$scores), "data set"),
              if (is.null(x$metric)) "" else sprintf(", by %s", x$metric)))
  cat(sprintf("Friedman: chi-squared = %s on %d df, p = %s; critical difference of ranks %s\n",
              format(x$friedman$statistic, digits = digits), x$friedman$parameter,
              format.pval(x$friedman$p.value, digits = 3L, eps = 1e-4),
              format(x$critical_difference, digits = digits)))
  ranks <- x$ranks
  print_table(data.frame(model = ranks$model, mean_rank = show_numbers(ranks$mean_rank, digits),
                         mean = show_numbers(ranks$mean, digits),
                         relative_gap = show_gap(ranks$relative_gap),
                         certified = show_verdict(ranks$certified)), names = "model")
  apart <- x$pairs[x$pairs$p.value < 1 - x$level, ]
  if (nrow(apart) == 0L) cat("No significant difference between any two models.\n")
  for (i in seq_len(nrow(apart))) {
    cat(strwrap(sprintf("%s and %s differ, p = %s%s", apart$model_1[i], apart$model_2[i],
                        format.pval(apart$p.value[i], digits = 3L, eps = 1e-4),
                        if (isFALSE(apart$certified[i])) " (NOT certified)" else ""),
                getOption("width"), exdent = 2L), sep = "\n")
  }
  if (any(!ranks$certified, na.rm = TRUE)) {
    cat("NOT certified: that rank is one of an optimiser as much as of a model.\n")
  }
  invisible(x)
}

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
  known <- stats::complete.cases(scores[, pair, drop = FALSE])
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
  test_of_mean(mean(difference), spread, level, length(difference) - 1)
}

# df: Inf of a normal distribution. No spread: the models differ in no fold, or in all alike.
test_of_mean <- function(estimate, spread, level, df) {
  half <- stats::qt((1 + level) / 2, df) * spread
  statistic <- if (spread > 0) estimate / spread else if (estimate == 0) 0 else sign(estimate) * Inf
  c(list(estimate = estimate, std.error = spread, conf.low = estimate - half,
         conf.high = estimate + half, statistic = statistic),
    if (is.finite(df)) list(parameter = df), list(p.value = 2 * stats::pt(-abs(statistic), df)))
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
  test_of_mean(mean(within["difference", ]), sqrt(sum(within["variance", ])) / length(folds), level,
               Inf)
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

# The critical-difference diagram.

#' @rdname friedman_nemenyi
#' @export
plot.friedman_nemenyi <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  ranks <- as.data.frame(x)
  k <- nrow(ranks)
  bars <- rank_bars(ranks$mean_rank, x$critical_difference)
  left <- seq_len(ceiling(k / 2))
  depth <- ifelse(seq_len(k) %in% left, seq_len(k), k + 1L - seq_len(k))
  lowest <- -(max(depth) + length(bars$from) * 0.35 + 0.6)
  labels <- shorten(ranks$model, 24L)
  old <- graphics::par(mar = c(1, 1, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  graphics::par("fin")
  margins <- graphics::par("mai")
  margins[c(2L, 4L)] <- max(graphics::strwidth(labels, units = "inches")) + 0.3
  graphics::par(mai = margins)
  draw(graphics::plot, list(x = c(1, k), y = c(lowest, 2.2), type = "n", axes = FALSE, xlab = "",
                            ylab = "", main = "Mean ranks, the best to the left"), list(...))
  draw_rank_axis(k, x$critical_difference, x$level)
  start <- length(bars$from) * 0.35 + 0.3
  colour <- margin_colours(2L, list(...)[["col"]])
  for (i in seq_len(k)) {
    at <- ranks$mean_rank[i]
    on_left <- i %in% left
    edge <- if (on_left) 1 else k
    y <- -(depth[i] + start - 0.6)
    graphics::lines(c(at, at, edge), c(0, y, y), col = "grey30")
    graphics::points(at, 0, pch = 21, cex = 1.2, col = colour[1L],
                     bg = if (isFALSE(ranks$certified[i])) "white" else colour[1L])
    graphics::mtext(labels[i], if (on_left) 2L else 4L, at = y, las = 1, line = 0.3)
  }
  for (i in seq_along(bars$from)) {
    y <- -0.35 * i
    graphics::segments(ranks$mean_rank[bars$from[i]] - 0.03, y,
                       ranks$mean_rank[bars$to[i]] + 0.03, y, lwd = 4, col = colour[2L], lend = 1)
  }
  if (any(!ranks$certified, na.rm = TRUE)) {
    graphics::mtext("hollow: a fit is NOT certified", 1L, line = -0.2, cex = 0.85)
  }
  invisible(ranks)
}

draw_rank_axis <- function(k, difference, level) {
  graphics::segments(1, 0, k, 0)
  graphics::segments(seq_len(k), 0, seq_len(k), 0.2)
  graphics::text(seq_len(k), 0.2, seq_len(k), pos = 3, offset = 0.2)
  graphics::arrows(1, 1.4, min(1 + difference, k), 1.4, length = 0.05, angle = 90,
                   code = if (1 + difference > k) 1L else 3L)
  graphics::text(1, 1.4, sprintf("critical difference %s (%s %%)%s", format(difference, digits = 3),
                                 format(100 * level),
                                 if (1 + difference > k) ", longer than the axis" else ""),
                 adj = c(0, -0.9), cex = 0.85)
}

# The longest runs of sorted ranks that differ by less than the critical difference: from, to.
rank_bars <- function(ranks, difference) {
  to <- vapply(seq_along(ranks), function(i) max(which(ranks - ranks[i] < difference)), 0L)
  from <- seq_along(ranks)
  keep <- to > from & !duplicated(to)
  list(from = from[keep], to = to[keep])
}
