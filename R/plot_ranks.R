# The critical-difference diagram.

#' @rdname friedman_nemenyi
#' @export
plot.friedman_nemenyi <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  ranks <- x$ranks
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
  invisible(without_row_names(ranks))
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
