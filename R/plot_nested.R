# The scores of the chosen settings within the training rows, and on the rows held out.

#' @export
plot.margin_nested <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  assert_nested(x, "x")
  theirs <- list(...)
  results <- x$results
  metric <- x$metrics[[1L]]
  at <- seq_len(nrow(results))
  colours <- margin_colours(2L, theirs[["col"]])
  means <- c(mean(results$inner_score, na.rm = TRUE), mean(results$score, na.rm = TRUE))
  key <- c("inner mean that chose", "rows held out", "means")
  old <- graphics::par(mar = c(4.2, 5.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  values <- c(results$inner_score, results$score)
  draw(graphics::plot, list(
    x = c(0.5, length(at) + 0.5), y = range(values[is.finite(values)]), type = "n", xaxt = "n",
    las = 1, xlab = "outer fold", main = sprintf("%s held out: mean %s, inner %s",
                                                 metric_label(metric$name),
                                                 format(means[2L], digits = 3),
                                                 format(means[1L], digits = 3))
  ), without_labels(theirs[names(theirs) != "col"], "ylab"))
  outer_label(theirs, ylab = cv_ylab(metric))
  several <- length(unique(results$repetition)) > 1L
  graphics::axis(1, at = at, labels = if (several) sprintf("%d.%d", results$repetition,
                                                           results$fold) else results$fold)
  graphics::abline(h = means, lty = 2, col = colours)
  graphics::segments(at, results$inner_score, at, results$score, col = "grey70")
  graphics::points(at, results$inner_score, pch = 21, col = colours[1L], bg = "white")
  # a fit that is not certified is hollow
  graphics::points(at, results$score, pch = 21, col = colours[2L],
                   bg = ifelse(results$certified, colours[2L], "white"))
  side_legend(room, key, col = c(colours, "grey40"), pt.bg = c("white", colours[2L], NA),
              pch = c(21, 21, NA), lty = c(NA, NA, 2))
  columns <- c("repetition", "fold", "inner_score", "score", "certified")
  invisible(results[columns])
}
