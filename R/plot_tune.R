# The error of a range of penalties and the bound below it.

#' @rdname margin_tune-methods
#' @export
plot.margin_tune <- function(x, ...) {
  assert_plot_arguments("plot()", ...)
  assert_tune(x, "x")
  points <- x$points
  bound <- x$bound
  axis <- falling_axis(points$lambda, column_units[["lambda"]])
  place <- function(lambda) -log10(lambda)
  theirs <- list(...)
  colours <- margin_colours(2L, theirs[["col"]])
  key <- c("error of a fit", "proven lower bound", "best lambda")
  old <- graphics::par(mar = c(4.2, 5.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  low <- min(bound$lower, points$lower)
  low <- low - 0.05 * (max(points$upper) - low)
  high <- max(points$upper) + 0.03 * (max(points$upper) - low)
  draw(graphics::plot, list(
    x = path_limits(axis$along), y = c(low, high), type = "n", xaxt = "n", las = 1,
    xlab = axis$label, ylab = "cross-validated error (share of rows)", yaxs = "i",
    main = if (x$proven) sprintf("Best lambda %s, proven", format(x$lambda, digits = 4)) else
      sprintf("Best lambda %s, NOT proven within %s", format(x$lambda, digits = 4),
              format(x$eps))
  ), list(...))
  axis$draw()
  graphics::rect(place(bound$to), low, place(bound$from), bound$lower, border = NA,
                 col = grDevices::adjustcolor(colours[2L], 0.3))
  graphics::segments(place(bound$to), bound$lower, place(bound$from), bound$lower,
                     col = colours[2L], lwd = 2)
  graphics::segments(place(points$lambda), points$lower, place(points$lambda), points$upper,
                     col = colours[1L])
  graphics::points(place(points$lambda), points$upper, pch = 21, bg = colours[1L],
                   col = colours[1L], cex = 0.8)
  graphics::abline(v = place(x$lambda), lty = 2, col = "grey40")
  graphics::box()
  side_legend(room, key, col = c(colours, "grey40"), pt.bg = c(colours[1L], NA, NA),
              lty = c(NA, 1, 2), pch = c(21, NA, NA))
  invisible(bound)
}
