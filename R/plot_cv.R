#' Plot of a cross-validation
#'
#' Plots the mean score of every setting, with one standard error to each side, against the first
#' number that varies in the grid. There is a line for each combination of the others; a grid
#' without numbers has its settings side by side. Axes of `lambda`, `cost`, `sigma` and `radius` are
#' logarithmic; `lambda`, `radius` and `rate` fall to the right, as in [plot.margin_path()].
#' Vertical lines mark the best setting (a circle) and that of the one-standard-error rule (a
#' square), see [`summary()`][summary.margin_cv]; the lines above the frame say all that they set. A cross is a
#' setting of which a fit is not certified.
#'
#' @param x A result of [margin_cv()].
#' @param metric Name of one of its metrics; the first if `NULL`.
#' @param along The column of numbers to draw against; the first that varies if `NULL`.
#' @param top How many lines have a colour and a name, those with the best scores; the others are
#'   grey.
#' @param ... Graphical parameters by name: `main`, `sub`, `xlab`, `ylab`, `xlim`, `ylim` (in values
#'   of the axis), `col`, `las`, `bty`, `family`, and `cex.`, `col.` and `font.` of `main`, `sub`,
#'   `lab` and `axis`; any other argument is an error.
#' @return The numbers that were drawn, [summary()] of `x`, invisibly.
#' @section Errors:
#' Of class `dualmargin_input_error`: an unknown metric, a column that does not vary or is no
#' number, a metric without a value.
#' @examples
#' some <- spambase[seq(1, nrow(spambase), by = 10), ]
#' cv <- margin_cv(type ~ ., data = some, loss = "logistic", metric = "log_loss", folds = 5,
#'                 grid = list(lambda = 10^-(1:5), mixture = c(0, 0.5)), seed = 1)
#' plot(cv)
#' @export
plot.margin_cv <- function(x, metric = NULL, along = NULL, top = 8L, ...) {
  assert_plot_arguments("plot()", ...)
  assert_cv(x, "x")
  metric <- cv_metric(x, metric)
  assert_number(top, "top", lower = 0, whole = TRUE)
  best <- chosen_setting(x, "best", metric$name)$setting
  # only some columns have a simpler end
  simple <- if (is.na(simplicity_column(x))) NA else
    chosen_setting(x, "one_se", metric$name)$setting
  table <- cv_table(x, metric)
  axis <- cv_axis(x, along)
  series <- cv_series(x, axis$column)
  draw_cv(table, axis, series, marks = c(best = best, simple = simple), metric, cv_ylab(metric),
          top, sprintf("Mean over %s, with one standard error", count(length(x$folds), "fold")),
          marked_settings(x, best, simple), list(...))
  invisible(in_milliseconds(table))
}

draw_cv <- function(table, axis, series, marks, metric, ylab, top, main, marked, theirs) {
  style <- series_style(table, series, metric, top, theirs[["col"]])
  missed <- table$certified < 1
  key <- cv_key(style, any(missed))
  old <- graphics::par(mar = c(4.2, 5.2, 2.7 + 0.9 * length(marked), 1) + 0.1)
  on.exit(graphics::par(old))
  if (!is.null(axis$names)) axis$upright <- make_room_below(axis$names)
  axis$line <- graphics::par("mar")[1L] - 1.3
  if (nrow(key) > 0L) room <- make_legend_room(key$labels)
  low <- table$mean - ifelse(is.na(table$std.error), 0, table$std.error)
  high <- table$mean + ifelse(is.na(table$std.error), 0, table$std.error)
  finite <- is.finite(table$mean)
  draw(graphics::plot, list(
    x = if (is.null(axis$names)) path_limits(axis$at) else c(0.5, length(axis$at) + 0.5),
    y = score_limits(c(low[finite], high[finite])), type = "n", xaxt = "n", las = 1
  ), without_labels(along_axis(theirs, axis), c("main", "xlab", "ylab")))
  draw_setting_axis(axis, theirs)
  for (line in seq_along(marked)) {
    graphics::mtext(marked[line], line = 0.2 + 0.9 * (length(marked) - line), cex = 0.85)
  }
  outer_label(theirs, main = main, line = 0.6 + 0.9 * length(marked))
  outer_label(theirs, ylab = ylab)
  mark_lines(axis, marks)
  # lines that would cover each other's bars stand a little apart
  width <- diff(graphics::par("usr")[1:2])
  shift <- (as.integer(series) - (nlevels(series) + 1) / 2) * min(0.006, 0.04 / nlevels(series))
  at <- axis$at + shift * width
  for (i in rev(order(style$rank))) { # the best on top
    of <- which(as.integer(series) == i & finite)
    of <- of[order(at[of])]
    if (is.null(axis$names)) {
      graphics::lines(at[of], table$mean[of], col = style$col[i], lty = style$lty[i], lwd = 1.5)
    }
    if (style$coloured[i]) {
      graphics::segments(at[of], low[of], at[of], high[of], col = style$col[i], lwd = 1.5)
    }
    graphics::points(at[of], table$mean[of], col = style$col[i], bg = style$col[i],
                     pch = ifelse(missed[of], 4L, style$pch[i]), cex = ifelse(missed[of], 1.4, 0.9),
                     lwd = ifelse(missed[of], 2, 1))
  }
  ringed <- unique(marks[!is.na(marks)])
  graphics::points(at[ringed], table$mean[ringed], cex = 2.2, lwd = 1.5,
                   pch = mark_rings[seq_along(ringed)])
  if (nrow(key) > 0L) {
    side_legend(room, key$labels, col = key$col, pch = key$pch, lty = key$lty, pt.bg = key$col,
                lwd = key$lwd)
  }
}

# The best setting and the one within a standard error of it: a circle and a square.
mark_rings <- c(1L, 0L)
mark_types <- c(2L, 3L)

# Equal scores get a window around them.
score_limits <- function(scores) {
  limits <- range(scores)
  if (limits[1L] < limits[2L]) limits else limits + c(-1, 1) * max(0.02 * abs(limits[1L]), 1e-3)
}

# Lines in the order of their best mean; the first `top` have a colour.
series_style <- function(table, series, metric, top, given = NULL) {
  better <- if (metric$maximize) table$mean else -table$mean
  reach <- vapply(split(better, series), function(values) max(values, -Inf, na.rm = TRUE), 0)
  rank <- rank(-reach, ties.method = "first")
  coloured <- rank <= top
  k <- cumsum(coloured)
  data.frame(name = levels(series), rank = rank, coloured = coloured,
             col = ifelse(coloured, margin_colours(max(k, 1L), given)[pmax(k, 1L)], "grey80"),
             pch = ifelse(coloured, (21:25)[(k - 1L) %% 5L + 1L], 16L),
             lty = ifelse(coloured, 1L + pmax(k - 1L, 0L) %/% 8L, 1L))
}

# The best setting and that of the rule with all that varies, above the frame: a line each.
marked_settings <- function(cv, best, simple) {
  columns <- varying_columns(cv)
  if (length(columns) == 0L) {
    return(character())
  }
  names <- shorten(name_combinations(cv, columns), 70L)
  if (is.na(simple)) paste("best (circle):", names[best]) else
    if (simple == best) paste("best and one s.e. (circle):", names[best]) else
    c(paste("best (circle):", names[best]), paste("one s.e. (square):", names[simple]))
}

cv_key <- function(style, missed) {
  of <- style[style$coloured & nlevels(factor(style$name)) > 1L, ]
  others <- nrow(style) > 1L && !all(style$coloured)
  data.frame(
    labels = c(shorten(of$name, 24L), if (others) "the others", if (missed) "not certified"),
    col = c(of$col, if (others) "grey80", if (missed) "black"),
    pch = c(of$pch, if (others) 16L, if (missed) 4L),
    lty = c(of$lty, if (others) 1L, if (missed) NA),
    lwd = c(rep(1.5, nrow(of)), if (others) 1.5, if (missed) 2)
  )
}

mark_lines <- function(axis, marks) {
  graphics::abline(v = axis$at[marks[["best"]]], lty = mark_types[1L], col = "grey30", lwd = 1.5)
  if (!is.na(marks[["simple"]]) && marks[["simple"]] != marks[["best"]]) {
    graphics::abline(v = axis$at[marks[["simple"]]], lty = mark_types[2L], col = "grey30",
                     lwd = 1.5)
  }
}

# Names that do not fit side by side stand upright; do they?
make_room_below <- function(names) {
  size <- max(graphics::strwidth(names, units = "inches", cex = 0.85))
  upright <- length(names) * (size + 0.1) > 0.8 * graphics::par("pin")[1L]
  if (upright) graphics::par(mai = replace(graphics::par("mai"), 1L, size + 0.5))
  upright
}

draw_setting_axis <- function(axis, theirs) {
  if (is.null(axis$names)) {
    axis$draw()
    return(outer_label(theirs, xlab = axis$label, line = 2.8))
  }
  graphics::axis(1, at = axis$at, labels = axis$names, cex.axis = 0.85,
                 las = if (axis$upright) 2 else 1)
  outer_label(theirs, xlab = axis$label, line = axis$line)
}
