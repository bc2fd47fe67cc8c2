#' Tests between compared models
#'
#' Tests whether two models differ, for each pair: two tests use the scores of the folds, two the
#' predictions of the rows.
#'
#' From the J scores of the folds of all repetitions, with \eqn{d} their differences, \eqn{\bar
#' d}{mean(d)} and \eqn{s^2} mean and variance of these:
#'
#' * `corrected_t`: the *corrected resampled t test* of Nadeau and Bengio. Folds share training
#'   rows, so differences are correlated and \eqn{s^2 / J} is too small a variance of their mean;
#'   with
#'   \deqn{t = \frac{\bar d}{\sqrt{(1/J + n_{test}/n_{train}) s^2}}}{
#'     t = mean(d) / sqrt((1/J + n_test/n_train) s^2)}
#'   on \eqn{J - 1} degrees of freedom (for repeated folds the test of Bouckaert and Frank).
#' * `bayes`: the *correlated t test* of Corani and Benavoli. The posterior of the mean difference
#'   is
#'   \deqn{\bar d + \sqrt{(1/J + n_{test}/n_{train}) s^2}\; T_{J - 1}}{
#'     mean(d) + sqrt((1/J + n_test/n_train) s^2) T_{J-1},}
#'   of which `prob_rope` is the probability within `rope` of 0, `prob_model_1` and `prob_model_2`
#'   those that the first and that the second model is better by more. It is no p-value: there is
#'   nothing to adjust.
#'
#' From the predictions of every row in the *first* repetition, which are paired by row:
#'
#' * `mcnemar`: McNemar's test of which model is right on more rows, by [stats::mcnemar.test()] with
#'   its continuity correction; for classifications;
#' * `delong`: the test of DeLong and others of the difference in area under the ROC curve, *within
#'   folds*; two classes only. Each fold is predicted by a fit of its own, and decision values of
#'   different fits have no common origin or unit, so that a rank among the rows of all folds means
#'   nothing. As in the cross-validated area of LeDell and others, rows are ranked within their
#'   fold, and \eqn{\hat\theta = \frac1V \sum_v \hat\theta_v}{theta = mean(theta_v)} is the mean of
#'   the differences in area of the V folds. Given the fits, folds are independent samples, so that
#'   its variance is \eqn{\frac{1}{V^2} \sum_v s_v^2}{sum(s_v^2)/V^2} with DeLong's variance
#'   \eqn{s_v^2} of each fold. Every fold must hold out two rows of each class.
#'
#' The latter two take the fitted models as given: they say nothing about other training rows.
#'
#' @section Certified:
#' `relative_gap_1` and `relative_gap_2` are the worst relative gaps of the fits of both models, in
#' all repetitions, and `certified` says whether all of them are certified (`NA`: not known of
#' all, or there is no test).
#' Where it is `FALSE` the print marks the pair: its p-value compares optimisers as much as models.
#'
#' @param x,object A comparison, or its summary.
#' @param tests Names of tests; `NULL`: all that can be made of this comparison with the packages
#'   that are installed.
#' @param metric Name of one of the metrics of the comparison, for the first two tests; the first if
#'   `NULL`.
#' @param rope Half the width of the region of practical equivalence, in units of the metric.
#'   `NULL`: for the first metric that of the comparison, else what [margin_compare()] takes by
#'   default.
#' @param level Of the confidence and credible intervals.
#' @param digits Significant digits.
#' @param ... Not used; an unknown argument is an error.
#' @return `summary()`: a list of class `"summary.model_comparison"` with `models` (a row per model:
#'   `model`, `mean` and `std.dev` of its scores, `n`, `relative_gap` (the worst), `certified` (how
#'   many, `NA`: not known), `excess` (of the worst fit, at least), `why` it is not known,
#'   `fits`, `seconds` in sum, `set_size`: the mean
#'   size of prediction sets (or intervals) that hold nine tenths of the responses, of the rows of
#'   each fold by the scores of those of the others, over the folds of the first repetition; of more
#'   than two classes by probabilities, or by decision values where a model has none), `tests` (as
#'   from `tidy()`), `left_out` (which tests cannot be made and why), `metric`, `rope`, `level`.
#'
#'   `tidy()`: a data frame with a row per test and pair: `model_1`, `model_2`, `test`, `estimate`
#'   (the mean score of the first less that of the second; for `mcnemar` the difference in accuracy,
#'   for `delong` in area), `std.error`, `conf.low`, `conf.high`, `statistic`, `parameter` (degrees
#'   of freedom), `p.value`, `adj.p.value` (by Holm over the pairs of one test), `prob_model_1`,
#'   `prob_rope`, `prob_model_2`, `relative_gap_1`, `relative_gap_2`, `certified`.
#' @section Errors:
#' Of class `dualmargin_input_error`: an unknown test or metric, a test that cannot be made of this
#' comparison or needs a package that is not installed.
#' @references
#' Nadeau C, Bengio Y (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281. \doi{10.1023/A:1024068626366}.
#'
#' Bouckaert RR, Frank E (2004). Evaluating the replicability of significance tests for comparing
#' learning algorithms. *Advances in Knowledge Discovery and Data Mining*, LNCS 3056, 3-12.
#' \doi{10.1007/978-3-540-24775-3_3}.
#'
#' Corani G, Benavoli A (2015). A Bayesian approach for comparing cross-validated algorithms on
#' multiple data sets. *Machine Learning* 100, 285-304. \doi{10.1007/s10994-015-5486-z}.
#'
#' McNemar Q (1947). Note on the sampling error of the difference between correlated proportions or
#' percentages. *Psychometrika* 12, 153-157. \doi{10.1007/BF02295996}.
#'
#' DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Comparing the areas under two or more correlated
#' receiver operating characteristic curves: a nonparametric approach. *Biometrics* 44, 837-845.
#' \doi{10.2307/2531595}.
#'
#' LeDell E, Petersen M, van der Laan M (2015). Computationally efficient confidence intervals for
#' cross-validated area under the ROC curve estimates. *Electronic Journal of Statistics* 9(1),
#' 1583-1607. \doi{10.1214/15-EJS1035}.
#'
#' Holm S (1979). A simple sequentially rejective multiple test procedure. *Scandinavian Journal of
#' Statistics* 6, 65-70.
#' @seealso [margin_compare()], [friedman_nemenyi()] for several data sets.
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' comparison <- margin_compare(
#'   type ~ ., data = some,
#'   specs = list(spec_margin("linear", loss = "hinge"), spec_margin("linear", loss = "logistic")),
#'   folds = 5, repeats = 2, seed = 1
#' )
#' summary(comparison)
#' tidy(comparison, tests = "bayes", rope = 0.02)
#' @export
summary.model_comparison <- function(object, tests = NULL, metric = NULL, rope = NULL,
                                     level = 0.95, ...) {
  assert_no_extra("summary()", ...)
  assert_model_comparison(object, "object")
  metric <- comparison_metric(object, metric)
  assert_rope(rope)
  rope <- rope_of(object, metric, rope)
  assert_number(level, "level", lower = 0, upper = 1, remedy = "the default is 0.95")
  chosen <- choose_tests(tests, object)
  structure(
    list(models = model_table(object, metric),
         tests = test_pairs(object, as.vector(chosen), metric, rope, level),
         left_out = attr(chosen, "left_out"), metric = metric, rope = rope, level = level),
    class = "summary.model_comparison"
  )
}

#' @rdname summary.model_comparison
#' @export
tidy.model_comparison <- function(x, tests = NULL, metric = NULL, rope = NULL, level = 0.95, ...) {
  assert_no_extra("tidy()", ...)
  assert_model_comparison(x, "x")
  as_tibble_if_installed(summary(x, tests, metric, rope, level)$tests)
}

assert_rope <- function(rope) {
  if (!is.null(rope)) {
    assert_number(rope, "rope", lower = 0, open = FALSE, remedy = "NULL suits it to the metric")
  }
}

# The one asked for; that of the comparison, which is about its first metric; or what is little of
# this metric: one point of a share, one percent of anything else.
rope_of <- function(comparison, metric, rope = NULL) {
  if (is.null(rope) && metric$name == names(comparison$metrics)[1L]) rope <- comparison$rope
  if (!is.null(rope)) {
    return(rope)
  }
  if (metric$name %in% c("accuracy", "balanced_accuracy", "auroc")) {
    return(0.01)
  }
  means <- colMeans(fold_scores(comparison, metric$name), na.rm = TRUE)
  best <- if (metric$maximize) max(means, na.rm = TRUE) else min(means, na.rm = TRUE)
  0.01 * abs(best)
}

comparison_metric <- function(comparison, metric) {
  if (is.null(metric)) {
    return(comparison$metrics[[1L]])
  }
  assert_choice(metric, names(comparison$metrics), "metric")
  comparison$metrics[[metric]]
}

# A row per model, in the order of the specifications.
model_table <- function(comparison, metric) {
  scores <- fold_scores(comparison, metric$name)
  by_model <- split(comparison$results, comparison$results$model)
  of_model <- function(f, type) unname(vapply(by_model, f, type))
  data.frame(
    model = colnames(scores),
    mean = apply(scores, 2L, mean_of_known),
    std.dev = apply(scores, 2L, stats::sd, na.rm = TRUE), n = colSums(!is.na(scores)),
    relative_gap = vapply(colnames(scores), function(model) {
      model_quality(model, comparison$results)$relative_gap
    }, 0),
    certified = of_model(function(rows) sum(rows$certified), 0L),
    excess = of_model(function(rows) worst_known(rows$excess), 0),
    why = of_model(function(rows) c(rows$why[!is.na(rows$why)], NA_character_)[1L], ""),
    fits = of_model(nrow, 0L), seconds = of_model(function(rows) sum(rows$seconds), 0),
    set_size = set_sizes_of(comparison), row.names = NULL
  )
}

# The mean size of sets at one coverage, in which models are to be told apart: the rows of each fold
# have the sets that the strangeness of the rows of the other folds gives, every row by the model
# that has not seen it (cross-conformal; Vovk 2015). NA where there is one fold, a row is held out
# twice, or a model has no score of each class.
set_sizes_of <- function(comparison, level = 0.9) {
  predictions <- first_predictions(comparison)
  models <- levels(comparison$results$model)
  regression <- comparison$task == "regression"
  if (is.null(predictions)) {
    return(rep(NA_real_, length(models)))
  }
  unname(vapply(predictions[models], function(rows) {
    sizes <- vapply(unique(rows$fold), function(fold) {
      mean(sizes_by_others(rows[rows$fold != fold, ], rows[rows$fold == fold, ], regression,
                           comparison$levels, level))
    }, 0)
    mean(sizes)
  }, 0))
}

# counted: rows whose strangeness is ranked; new: those that get sets.
sizes_by_others <- function(counted, new, regression, levels, level) {
  # a column for each class
  strange_of <- function(rows) {
    if (length(levels) == 2L) return(cbind(rows$score, -rows$score))
    if (!all(score_columns(levels) %in% names(rows))) return(matrix(NA_real_, nrow(rows), 1L))
    -as.matrix(rows[score_columns(levels)])
  }
  strange <- if (regression) abs(counted$truth - counted$response) else
    strange_of(counted)[cbind(seq_len(nrow(counted)), match(counted$truth, levels))]
  k <- conformal_rank(level, length(strange))
  if (k == 0 || anyNA(strange)) {
    return(NA_real_)
  }
  end <- sort(strange, decreasing = TRUE)[k]
  if (regression) rep(2 * end, nrow(new)) else rowSums(strange_of(new) <= end)
}

worst_known <- function(values) if (all(is.na(values))) NA_real_ else max(values, na.rm = TRUE)

mean_of_known <- function(values) {
  if (all(is.na(values))) NA_real_ else mean(values, na.rm = TRUE)
}

#' @rdname summary.model_comparison
#' @export
print.model_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  assert_model_comparison(x, "x")
  metric <- x$metrics[[1L]]
  repeats <- length(unique(x$results$repetition))
  cat(sprintf("<model_comparison> %s on %s\n", count(nlevels(x$results$model), "model"),
              count(x$nobs, "row")))
  cat(sprintf("%s, %s; mean %s, %s is better\n", count(repeats, "repetition"),
              count(length(x$folds), "fold"), metric$name, if (metric$maximize) "higher" else "lower"))
  print_models(model_table(x, metric), digits)
  tests <- if (is.null(check_test("corrected_t", x))) "corrected_t" else "bayes"
  shown <- summary(x, tests = tests)
  print_tests(shown, digits, most = 10L)
  cat("More tests: summary().\n")
  invisible(x)
}

#' @rdname summary.model_comparison
#' @export
print.summary.model_comparison <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  cat(sprintf("<summary.model_comparison> %s, %s is better\n", x$metric$name,
              if (x$metric$maximize) "higher" else "lower"))
  print_models(x$models, digits)
  print_tests(x, digits)
  for (test in names(x$left_out)) {
    why <- sprintf("No %s: it %s.", test, x$left_out[[test]])
    cat(strwrap(why, getOption("width"), exdent = 2L), sep = "\n")
  }
  invisible(x)
}

print_models <- function(models, digits) {
  certified <- ifelse(is.na(models$certified), "unknown",
                      sprintf("%d of %d", models$certified, models$fits))
  table <- data.frame(
    model = models$model, mean = show_numbers(models$mean, digits),
    std.dev = show_numbers(models$std.dev, digits), relative_gap = show_gap(models$relative_gap),
    certified = certified, seconds = show_numbers(models$seconds, digits)
  )
  above <- !is.na(models$excess) & models$excess > 0
  if (any(above)) {
    table$excess <- ifelse(is.na(models$excess), "unknown", vapply(models$excess, percent_words, ""))
  }
  sized <- !all(is.na(models$set_size))
  if (sized) table$set_size <- show_numbers(models$set_size, digits)
  print_table(table, names = "model")
  if (sized) cat("set_size: mean size of 90 % prediction sets, or length of 90 % intervals.\n")
  if (any(above)) cat("excess: of the worst fit over its own optimum, at least.\n")
  for (k in which(is.na(models$excess) & !is.na(models$why))) {
    cat(fold_lines(sprintf("%s: no excess is known, as %s", models$model[k],
                           sub("[.]?$", ".", models$why[k]))), sep = "\n")
  }
}

# A gap of another package's solution may be below 0 by rounding; the data keep that.
show_gap <- function(gap) {
  ifelse(is.na(gap), "unknown", vapply(pmax(gap, 0), function(one) format(one, digits = 2L), ""))
}

show_verdict <- function(certified) {
  ifelse(is.na(certified), "unknown", ifelse(certified, "yes", "NOT certified"))
}

# The words above the table of each test.
test_titles <- function(summary) {
  c(corrected_t = sprintf("Corrected t test of %s (Nadeau and Bengio)", summary$metric$name),
    bayes = sprintf(paste("Bayesian correlated t test of %s: probabilities that the first is",
                          "better, that they are equal within %s, that the second is better"),
                    summary$metric$name, format(summary$rope, digits = 3L)),
    mcnemar = "McNemar's test of the classes in the first repetition",
    delong = paste("DeLong's test of the areas under the ROC curve within the folds of the first",
                   "repetition"))
}

# Models by their names; their gaps stand in the table above.
print_tests <- function(summary, digits, most = Inf) {
  tests <- summary$tests
  titles <- test_titles(summary)
  # what rounding makes of equal scores
  nothing <- 1e-12 * max(abs(summary$models$mean), na.rm = TRUE)
  for (test in unique(tests$test)) {
    of_test <- tests[tests$test == test, ]
    rows <- utils::head(of_test, most)
    columns <- if (test == "bayes") {
      c(estimate = "estimate", "P(first)" = "prob_model_1", "P(equal)" = "prob_rope",
        "P(second)" = "prob_model_2")
    } else {
      c(estimate = "estimate", statistic = "statistic", p.value = "p.value", adj.p = "adj.p.value")
    }
    numbers <- lapply(columns, function(column) {
      values <- rows[[column]]
      if (endsWith(column, "p.value")) format.pval(values, digits = 3L, eps = 1e-4) else
        if (startsWith(column, "prob_")) format(round(values, 3L), nsmall = 3L) else
          show_numbers(replace(values, which(abs(values) < nothing), 0), digits)
    })
    cat("\n")
    cat(strwrap(titles[[test]], getOption("width")), sep = "\n")
    print_table(data.frame(first = rows$model_1, second = rows$model_2, numbers,
                           certified = c("NO", "yes")[1L + rows$certified], check.names = FALSE),
                names = c("first", "second"))
    if (nrow(of_test) > most) {
      cat(sprintf("and %s; see summary().\n", count(nrow(of_test) - most, "more pair")))
    }
  }
  if (any(!tests$certified, na.rm = TRUE)) {
    cat("NOT certified: that row compares optimisers as much as models.\n")
  }
}

#' Plots of a comparison
#'
#' Plots the scores of compared models fold by fold, or their differences from one model, or how far
#' each is from its own optimum. Every point is a fold. Hollow points are those where a fit is
#' *not* certified: there the score also
#' depends on where the solver stopped. Crosses are those where that is not known.
#'
#' @param x A comparison, from [margin_compare()].
#' @param which `"differences"`: for each model the scores of the folds less those of the reference
#'   model on the same folds, with their mean and its corrected confidence interval (see
#'   [summary()][summary.model_comparison]), a line at zero and the region of practical
#'   equivalence as a band; `"scores"`: the scores themselves, with their mean; or `"excess"`: the
#'   relative excess of each fit over its own optimum, at most, on a logarithmic axis, with a line
#'   from the least to the largest that is proven of a model at least.
#' @param reference Name of the model to subtract; the first if `NULL`.
#' @param metric Name of one of the metrics of the comparison; the first if `NULL`.
#' @param level Of the interval.
#' @param ... Graphical parameters by name: `main`, `sub`, `xlab`, `ylab`, `xlim`, `ylim` (in values
#'   of the axis), `col`, `las`, `bty`, `family`, and `cex.`, `col.` and `font.` of `main`, `sub`,
#'   `lab` and `axis`; any other argument is an error.
#' @return The numbers that were drawn, a data frame with a row per point, invisibly: `model`,
#'   `repetition`, `fold`, `difference`, `score` or `excess` and `relative_gap`, `certified`.
#' @section Errors:
#' An unknown `which`, `reference` or `metric` is an error of class `dualmargin_input_error`.
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 20), ]
#' comparison <- margin_compare(
#'   type ~ ., data = some,
#'   specs = list(hinge = spec_margin("linear", loss = "hinge", cost = 1),
#'                logistic = spec_margin("linear", loss = "logistic", lambda = 0.01)),
#'   folds = 5, repeats = 2, seed = 1
#' )
#' plot(comparison)
#' plot(comparison, which = "scores")
#' @export
plot.model_comparison <- function(x, which = c("differences", "scores", "excess"), reference = NULL,
                                  metric = NULL, level = 0.95, ...) {
  assert_plot_arguments("plot()", ...)
  assert_model_comparison(x, "x")
  which <- one_of(which, c("differences", "scores", "excess"), "which")
  metric <- comparison_metric(x, metric)
  assert_number(level, "level", lower = 0, upper = 1, remedy = "the default is 0.95")
  reference <- reference_model(x, reference)
  points <- fold_table(x, which, metric, reference)
  switch(which, scores = plot_fold_scores(x, points, metric, ...), excess = plot_excess(points, ...),
         plot_fold_differences(x, points, metric, reference, level, ...))
  invisible(points)
}

reference_model <- function(comparison, reference) {
  models <- levels(comparison$results$model)
  if (is.null(reference)) models[1L] else assert_choice(reference, models, "reference")
}

# A row for each fold of each model: its score, the difference of it from that of the reference, or
# the distance from the optimum.
fold_table <- function(comparison, which, metric, reference) {
  results <- comparison$results
  points <- results[c("model", "repetition", "fold")]
  if (which == "excess") {
    points <- results[!is.na(results$relative_gap), c(names(points), "excess", "relative_gap", "certified")]
    if (nrow(points) == 0L) {
      abort_input("`x` has no model whose distance from its optimum is known; see its summary().", "x")
    }
  } else {
    scores <- fold_scores(comparison, metric$name)
    if (which == "scores") {
      return(data.frame(points, score = as.vector(scores), certified = results$certified))
    }
    points$difference <- as.vector(scores - scores[, reference])
    own <- results$certified[results$model == reference]
    points$certified <- results$certified & rep(own, ncol(scores))
    points <- points[results$model != reference, ]
  }
  points$model <- droplevels(points$model)
  without_row_names(points)
}

# In powers of ten, from 1e-12 on.
plot_excess <- function(points, ...) {
  power <- function(share) log10(pmax(share, 1e-12))
  least <- vapply(split(power(points$excess), points$model), range, c(0, 0))
  means <- vapply(split(power(points$relative_gap), points$model), mean, 0)
  draw_folds(points, power(points$relative_gap), means, t(least), NULL,
             "relative excess over the model's own optimum, at most (power of ten)",
             "Distance from the optimum of each fold", list(...))
}

plot_fold_scores <- function(comparison, points, metric, ...) {
  means <- colMeans(fold_scores(comparison, metric$name), na.rm = TRUE)
  draw_folds(points, points$score, means, cbind(means, means), NULL,
             sprintf("%s of a fold%s", metric_label(metric$name),
                     if (metric$maximize) "" else " (lower is better)"),
             sprintf("%s of each fold", metric_label(metric$name)), list(...))
}

plot_fold_differences <- function(comparison, points, metric, reference, level, ...) {
  scores <- fold_scores(comparison, metric$name)
  intervals <- vapply(split(points$difference, points$model), function(difference) {
    known <- !is.na(difference)
    if (sum(known) < 2L) {
      return(rep(NA_real_, 3L))
    }
    spread <- corrected_spread(difference[known], attr(scores, "sizes")[known, ])
    mean(difference[known]) +
      c(-1, 0, 1) * stats::qt((1 + level) / 2, sum(known) - 1) * spread
  }, numeric(3))
  draw_folds(points, points$difference, intervals[2L, ], t(intervals[c(1L, 3L), , drop = FALSE]),
             rope_of(comparison, metric),
             sprintf("%s minus that of %s%s", metric_label(metric$name), reference,
                     if (metric$maximize) "" else " (lower is better)"),
             sprintf("Paired differences, %s %% interval", format(100 * level)), list(...))
}

# A line for each model, its folds spread a little so that equal scores can be told apart.
draw_folds <- function(points, values, means, intervals, rope, xlab, main, theirs) {
  models <- levels(points$model)
  height <- length(models) + 1L - as.integer(points$model)
  within <- stats::ave(seq_along(values), points$model, FUN = seq_along)
  size <- stats::ave(seq_along(values), points$model, FUN = length)
  offset <- 0.18 * (2 * (within - 1) / pmax(size - 1, 1) - 1)
  # hollow where a fit is not certified, a cross where that is not known
  symbol <- ifelse(is.na(points$certified), 4L, ifelse(points$certified, 19L, 1L))
  colours <- margin_colours(2L, theirs[["col"]])
  colour <- colours[1L]
  legend <- fold_legend(symbol, rope, colours)
  labels <- shorten(models, 28L)
  old <- graphics::par(mar = c(4.2, 1, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  graphics::par("fin")
  margins <- graphics::par("mai")
  margins[2L] <- max(graphics::strwidth(labels, units = "inches")) + 0.35
  # lines of the legend under the axis, where it never hides a point
  margins[1L] <- margins[1L] + 0.1 + 0.2 * ceiling(length(legend$text) / 2)
  graphics::par(mai = margins)
  draw(graphics::plot, list(
    x = range(values, intervals, if (!is.null(rope)) c(-rope, rope), na.rm = TRUE),
    y = c(0.5, length(models) + 0.5), type = "n", yaxt = "n", ylab = "", xlab = xlab, main = main
  ), theirs)
  if (!is.null(rope)) {
    frame <- graphics::par("usr")
    graphics::rect(-rope, frame[3L], rope, frame[4L], col = "grey90", border = NA)
    graphics::abline(v = 0, col = "grey40", lty = 2)
    graphics::box()
  }
  graphics::axis(2, at = rev(seq_along(models)), labels = labels, las = 1, tick = FALSE)
  graphics::points(values, height + offset, pch = symbol, col = colour)
  place <- rev(seq_along(models)) - 0.32
  mean_colour <- colours[2L]
  graphics::segments(intervals[, 1L], place, intervals[, 2L], place, lwd = 2, col = mean_colour)
  graphics::points(means, place, pch = 23, bg = mean_colour, col = mean_colour)
  graphics::legend("bottom", legend$text, pch = legend$pch, col = legend$col, pt.bg = legend$bg,
                   lty = legend$lty, lwd = 2, ncol = 2, bty = "n", cex = 0.85, xpd = NA,
                   inset = c(0, (0.02 - graphics::par("mai")[1L]) / graphics::par("pin")[2L]))
}

fold_legend <- function(symbol, rope, colours) {
  colour <- colours[1L]
  other <- colours[2L]
  entries <- data.frame(
    text = c("fold, certified", "fold, NOT certified", "fold, certificate unknown",
             if (is.null(rope)) "mean" else "mean, corrected interval",
             "practical equivalence"),
    pch = c(19L, 1L, 4L, 23L, 15L), col = c(colour, colour, colour, other, "grey85"),
    bg = c(NA, NA, NA, other, NA), lty = c(NA, NA, NA, if (is.null(rope)) NA else 1L, NA)
  )
  entries[c(c(19L, 1L, 4L) %in% symbol, TRUE, !is.null(rope) && rope > 0), ]
}
