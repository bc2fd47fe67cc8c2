# The score of each threshold. Documented in threshold.R.

#' @rdname margin_threshold
#' @export
plot.margin_threshold <- function(x, ...) {
  assert_plot_arguments("plot()", ..., also = c("lty", "lwd"))
  if (is.null(x$curve)) {
    abort_input("`x` is a number that was given; only a threshold that was chosen has a curve.", "x")
  }
  of_prob <- identical(x$on, "prob")
  key <- c(sprintf("chosen: %s", format(x$value, digits = 3L)),
           if (!of_prob && x$value != 0) "0, that of the fit")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  label <- metric_label(x$metric)
  draw(graphics::plot, list(
    x = x$curve$threshold, y = x$curve$score, type = "s", col = margin_colours(1L), lwd = 1.5,
    las = 1, xlim = threshold_limits(x, of_prob), ylab = label,
    xlab = if (of_prob) "threshold of the probability" else "threshold of the decision value",
    main = sprintf("%s%s by threshold", toupper(substr(label, 1L, 1L)), substring(label, 2L))
  ), list(...))
  graphics::abline(v = x$value, col = "grey30")
  if (length(key) > 1L) graphics::abline(v = 0, lty = 2, col = "grey30")
  side_legend(room, key, lty = seq_along(key), col = "grey30")
  invisible(x$curve)
}

# Where the rows are: a few far away would leave the rest no room.
threshold_limits <- function(x, of_prob) {
  if (of_prob) {
    return(c(0, 1))
  }
  inner <- stats::quantile(x$scores, c(0.02, 0.98), names = FALSE)
  range(inner, 0, x$value)
}
