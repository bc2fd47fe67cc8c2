# Partial effects of the variables of a fit. Called by plot.margin_fit(); computed in effects.R.

plot_effects <- function(fit, data, variables, top, class, newoffset, theirs) {
  assert_number(top, "top", lower = 1, upper = 100, open = FALSE, whole = TRUE)
  found <- partial_effects(fit, data, variables, top, newoffset = newoffset)
  shown <- if (is.null(class)) found$names else class
  colours <- margin_colours(length(shown), theirs[["col"]])
  names <- names(found$effects)
  several <- length(shown) > 1L
  # read before mfrow is set, which rescales the margins
  old <- graphics::par(c("mfrow", "mar", "oma", "mgp"))
  on.exit(graphics::par(old))
  left <- if (length(names) > 1L) 3 else 4
  graphics::par(mfrow = grDevices::n2mfrow(length(names)), mar = c(2.4, left, 2, 0.8),
                oma = c(0.4, 1.6, if (several) 2.4 else 0.6, 0), mgp = c(2, 0.7, 0))
  pick <- function(one) one$effect[, match(shown, found$names), drop = FALSE]
  ylim <- range(lapply(found$effects, pick))
  if (diff(ylim) == 0) ylim <- ylim + c(-1, 1) * max(abs(ylim[1L]), 1) * 0.05
  for (name in names) {
    one <- found$effects[[name]]
    draw_effect(name, one, pick(one), ylim, colours, theirs)
  }
  graphics::mtext(effect_label(fit, shown), side = 2, outer = TRUE, line = 0.2, cex = 0.9)
  if (several) effect_legend(shown, colours)
  table <- effects_table(found)
  table[table$class %in% shown, ]
}

# A curve with the rows below it, or points where the values are no numbers.
draw_effect <- function(name, one, effect, ylim, colours, theirs) {
  levels <- one$levels
  x <- if (levels) seq_along(one$values) else as.numeric(one$values)
  draw(graphics::plot, list(
    x = if (levels) c(0.5, length(x) + 0.5) else range(x), y = ylim, type = "n", las = 1, xlab = "",
    ylab = "", main = shorten(name, 28L), xaxt = if (levels || is_dated(one$values)) "n" else "s"
  ), theirs[names(theirs) != "col"])
  if (levels) level_axis(one$values)
  if (is_dated(one$values)) graphics::Axis(one$values, side = 1)
  shapes <- rep_len(c(19, 17, 15, 18, 8, 4), ncol(effect))
  few <- !levels && length(x) <= 10L
  for (j in seq_len(ncol(effect))) {
    if (!levels) {
      graphics::lines(x, effect[, j], col = colours[j], lwd = 2, lty = 1L + (j - 1L) %/% 8L)
    }
    if (levels || few) {
      graphics::points(x, effect[, j], col = colours[j], pch = shapes[j],
                       cex = if (few) 0.8 else 1.2)
    }
  }
  if (!levels) draw_rug(one$rug)
}

# Labels that would meet are drawn smaller, and at last upright.
level_axis <- function(levels) {
  labels <- shorten(as.character(levels), 16L)
  at <- seq_along(labels)
  wide <- max(graphics::strwidth(labels, "user")) * 1.15
  size <- min(1, 1 / wide)
  if (size >= 0.55) {
    graphics::axis(1, at, labels, tick = FALSE, cex.axis = size * graphics::par("cex.axis"),
                   gap.axis = -1)
  } else {
    graphics::axis(1, at, labels, las = 2, tick = FALSE, cex.axis = 0.6, gap.axis = -1, hadj = 0.5)
  }
}

is_dated <- function(values) inherits(values, c("Date", "POSIXct"))

# At most 500 of the values, evenly of their order, ends included.
draw_rug <- function(values) {
  values <- sort(unique(values))
  n <- length(values)
  if (n > 500L) values <- values[unique(round(seq(1, n, length.out = 500)))]
  graphics::rug(values, ticksize = 0.04, col = grDevices::adjustcolor("grey20", 0.4), quiet = TRUE)
}

effect_label <- function(fit, shown) {
  if (fit$task == "regression") {
    return("mean prediction")
  }
  if (fit$task != "classification") {
    return("mean decision value")
  }
  one <- if (length(fit$levels) == 2L) fit$levels[2L] else if (length(shown) == 1L) shown
  of <- if (is.null(one)) "" else paste(" of", shorten(one, 24L))
  sprintf("mean %s%s", if (averages_prob(fit)) "probability" else "decision value", of)
}

# The whole device as one more plot, empty but for the legend.
effect_legend <- function(classes, colours) {
  graphics::par(mfrow = c(1, 1), fig = c(0, 1, 0, 1), oma = rep(0, 4), mar = rep(0, 4), new = TRUE)
  graphics::plot.new()
  labels <- shorten(classes, 24L)
  graphics::legend("top", labels, ncol = min(length(labels), 6L), col = colours,
                   text.width = 1.15 * max(graphics::strwidth(labels, cex = 0.9)),
                   lty = 1L + (seq_along(labels) - 1L) %/% 8L, lwd = 2,
                   pch = rep_len(c(19, 17, 15, 18, 8, 4), length(labels)), bty = "n", cex = 0.9)
}
