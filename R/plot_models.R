#' Plots of a comparison
#'
#' Plots the scores of compared models fold by fold, or their differences from one model, or how far
#' each is from its own optimum. Every point is a fold. Hollow points are those where a fit is *not* certified: there the score also
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
  models <- levels(x$results$model)
  if (is.null(reference)) reference <- models[1L]
  assert_choice(reference, models, "reference")
  drawn <- switch(which, scores = plot_fold_scores(x, metric, ...), excess = plot_excess(x, ...),
                  plot_fold_differences(x, metric, reference, level, ...))
  invisible(drawn)
}

# In powers of ten, from 1e-12 on.
plot_excess <- function(comparison, ...) {
  points <- comparison$results[c("model", "repetition", "fold", "excess", "relative_gap", "certified")]
  points <- points[!is.na(points$relative_gap), ]
  if (nrow(points) == 0L) {
    abort_input("`x` has no model whose distance from its optimum is known; see its summary().", "x")
  }
  points$model <- droplevels(points$model)
  power <- function(share) log10(pmax(share, 1e-12))
  least <- vapply(split(power(points$excess), points$model), range, c(0, 0))
  means <- vapply(split(power(points$relative_gap), points$model), mean, 0)
  draw_folds(points, power(points$relative_gap), means, t(least), NULL,
             "relative excess over the model's own optimum, at most (power of ten)",
             "Distance from the optimum of each fold", list(...))
  without_row_names(points)
}

plot_fold_scores <- function(comparison, metric, ...) {
  results <- comparison$results
  scores <- fold_scores(comparison, metric$name)
  points <- data.frame(results[c("model", "repetition", "fold")], score = as.vector(scores),
                       certified = results$certified)
  means <- colMeans(scores, na.rm = TRUE)
  draw_folds(points, points$score, means, cbind(means, means), NULL,
             sprintf("%s of a fold%s", metric_label(metric$name),
                     if (metric$maximize) "" else " (lower is better)"),
             sprintf("%s of each fold", metric_label(metric$name)), list(...))
  points
}

plot_fold_differences <- function(comparison, metric, reference, level, ...) {
  results <- comparison$results
  scores <- fold_scores(comparison, metric$name)
  others <- setdiff(colnames(scores), reference)
  rows <- lapply(others, function(model) {
    data.frame(
      results[results$model == model, c("model", "repetition", "fold")],
      difference = scores[, model] - scores[, reference],
      certified = results$certified[results$model == model] &
        results$certified[results$model == reference]
    )
  })
  points <- do.call(rbind, rows)
  points$model <- droplevels(points$model)
  intervals <- vapply(others, function(model) {
    difference <- scores[, model] - scores[, reference]
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
  without_row_names(points)
}

# A line for each model, its folds spread a little so that equal scores can be told apart.
draw_folds <- function(points, values, means, intervals, rope, xlab, main, theirs) {
  models <- levels(points$model)
  height <- length(models) + 1L - as.integer(points$model)
  within <- stats::ave(seq_along(values), points$model, FUN = seq_along)
  size <- stats::ave(seq_along(values), points$model, FUN = length)
  offset <- 0.18 * (2 * (within - 1) / pmax(size - 1, 1) - 1)
  symbol <- fold_symbol(points$certified)
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
                   inset = c(0, -legend_drop()))
}

# Hollow where a fit is not certified, a cross where that is not known.
fold_symbol <- function(certified) {
  ifelse(is.na(certified), 4L, ifelse(certified, 19L, 1L))
}

# How far under the plot, as a share of its height, the legend ends.
legend_drop <- function() {
  (graphics::par("mai")[1L] - 0.02) / graphics::par("pin")[2L]
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
