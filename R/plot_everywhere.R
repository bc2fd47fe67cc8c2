# The gap that is proven at every lambda of a path.

#' @rdname margin_path_everywhere
#' @export
plot.margin_path_everywhere <- function(x, which = c("gap", "coefficients"), ...) {
  assert_path(x, "x")
  which <- one_of(which, c("gap", "coefficients"), "which")
  if (which == "coefficients") {
    plain <- x
    class(plain) <- setdiff(class(plain), "margin_path_everywhere")
    return(invisible(graphics::plot(plain, which = "coefficients", ...)))
  }
  assert_plot_arguments("plot(which = \"gap\")", ...)
  invisible(plot_gap_everywhere(x, ...))
}

plot_gap_everywhere <- function(path, ...) {
  range <- range(path$lambda)
  inner <- exp(seq(log(range[1L]), log(range[2L]), length.out = 402L))[2:401]
  fine <- sort(unique(c(path$lambda, inner)))
  table <- certificate(path, lambda = fine)
  axis <- path_axis(path)
  floor <- max(1e-16, min(path$everywhere$eps, table$relative_gap[table$relative_gap > 0]) / 3)
  shown <- function(gap) pmin(pmax(gap, floor), 1e3)
  old <- graphics::par(mar = c(4.2, 5.2, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  key <- c("proven at most", "fits", sprintf("everywhere %s", format(path$everywhere$eps)))
  room <- make_legend_room(key)
  along <- falling_axis(table$lambda, axis$label)$along
  colour <- margin_colours(1L, list(...)[["col"]])
  missed <- !all(table$certified)
  draw(graphics::plot, list(
    x = path_limits(along), y = range(shown(c(table$relative_gap, path$everywhere$eps))),
    type = "n", log = "y", xlab = axis$label, xaxt = "n", yaxt = "n",
    main = if (missed) "Relative gap: NOT proven everywhere" else "Relative gap at every lambda"
  ), without_labels(along_axis(list(...), axis), "ylab"))
  axis$draw()
  axis_of_powers(graphics::par("usr")[3:4])
  outer_label(list(...), ylab = "relative gap (no unit)")
  graphics::polygon(c(along, rev(along)), c(shown(table$relative_gap), rep(floor, length(along))),
                    col = grDevices::adjustcolor(colour, 0.2), border = NA)
  graphics::lines(along, shown(table$relative_gap), col = colour, lwd = 2)
  at <- table$lambda %in% path$lambda
  graphics::points(along[at], shown(table$relative_gap[at]), pch = 21, bg = colour, col = colour,
                   cex = 0.8)
  graphics::abline(h = path$everywhere$eps, lty = 2, col = "grey40")
  side_legend(room, key, col = c(colour, colour, "grey40"), pt.bg = c(NA, colour, NA),
              lty = c(1, NA, 2), pch = c(NA, 21, NA))
  table
}
