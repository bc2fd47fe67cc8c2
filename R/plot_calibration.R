# The reliability diagram of a calibrated fit. Called by plot.margin_fit().

plot_calibration <- function(fit, class, ...) {
  if (is.null(fit$calibration)) {
    abort_input("`which` is \"calibration\", but the fit has none; make it by margin_calibrate().",
                "which")
  }
  series <- held_out_probabilities(fit)
  levels <- if (length(fit$levels) == 2L) fit$levels[2L] else if (is.null(class)) fit$levels else
    class
  tables <- lapply(stats::setNames(nm = levels), function(level) {
    reliability_table(fit, series, level)
  })
  if (length(levels) == 1L) {
    plot_reliability(fit, series, levels, tables[[1L]], ...)
  } else {
    plot_reliability_panels(fit, series, tables, ...)
  }
  without_row_names(do.call(rbind, tables))
}

# Matrices of cross-validated probabilities of the rows: of the fit's own model where it has any,
# and of the calibration.
held_out_probabilities <- function(fit) {
  held_out <- fit$calibration$held_out
  fit$calibration <- NULL
  before <- if (has_probabilities(fit)) unname_rows(prob_of_fit(fit, held_out$score))
  c(if (!is.null(before)) list(uncalibrated = before), list(calibrated = held_out$prob))
}

reliability_table <- function(fit, series, level) {
  held_out <- fit$calibration$held_out
  shares <- class_shares(fit$response)
  shares <- if (ncol(shares) == 1L) cbind(1 - shares, shares) else shares
  share <- shares[held_out$at, match(level, fit$levels)]
  rows <- lapply(names(series), function(name) {
    cbind(class = level, probabilities = name,
          reliability_bins(series[[name]][, level], share, held_out$weight))
  })
  do.call(rbind, rows)
}

# Up to ten bins of as many rows each, equal probabilities in one, with Wilson's 95 % interval for
# the share of the class. A row counts by its weight.
reliability_bins <- function(prob, share, weight, bins = 10L) {
  used <- weight > 0
  prob <- prob[used]
  share <- share[used]
  weight <- weight[used]
  cuts <- unique(stats::quantile(prob, seq_len(bins - 1L) / bins, type = 1L, names = FALSE))
  bin <- findInterval(prob, cuts, left.open = TRUE)
  rows <- drop(rowsum(weight, bin))
  observed <- pmin(drop(rowsum(weight * share, bin)) / rows, 1)
  interval <- wilson_interval(observed, rows)
  data.frame(rows = rows, mean_prob = drop(rowsum(weight * prob, bin)) / rows, observed = observed,
             lower = interval$lower, upper = interval$upper, row.names = NULL)
}

wilson_interval <- function(share, n, level = 0.95) {
  z2 <- stats::qnorm((1 + level) / 2)^2
  middle <- (share + z2 / (2 * n)) / (1 + z2 / n)
  half <- sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n^2))) / (1 + z2 / n)
  list(lower = pmax(middle - half, 0), upper = pmin(middle + half, 1))
}

# ---- Drawing ----

plot_reliability <- function(fit, series, level, table, ...) {
  labels <- c(names(series), "95 % interval", "perfect")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  method <- c(platt = "Platt", isotonic = "isotonic")[[fit$calibration$method]]
  shown <- shorten(level, 24L)
  draw_reliability(series, level, table, list(
    main = sprintf("Reliability, cross-validated (%s)", method),
    xlab = sprintf("predicted probability of %s", shown),
    ylab = sprintf("observed share of %s", shown)
  ), ...)
  reliability_legend(series, labels, function(...) side_legend(room, ...), list(...)[["col"]])
}

# A panel for each class, under one legend and over one axis label.
plot_reliability_panels <- function(fit, series, tables, ...) {
  # Read before mfrow is set, which rescales the margins.
  old <- graphics::par(c("mfrow", "mar", "oma", "mgp"))
  on.exit(graphics::par(old))
  graphics::par(mfrow = rev(grDevices::n2mfrow(length(tables))), mar = c(2.2, 3, 2, 0.8),
                oma = c(1.6, 1.6, 2.2, 0), mgp = c(2, 0.7, 0))
  for (level in names(tables)) {
    draw_reliability(series, level, tables[[level]],
                     list(main = shorten(level, 24L), xlab = "", ylab = ""), ...)
  }
  graphics::mtext("cross-validated probability of the class", side = 1, outer = TRUE,
                  line = 0.4, cex = 0.9)
  graphics::mtext("observed share", side = 2, outer = TRUE, line = 0.2, cex = 0.9)
  # The whole device as one more plot, empty but for the legend.
  graphics::par(mfrow = c(1, 1), fig = c(0, 1, 0, 1), oma = rep(0, 4), mar = rep(0, 4), new = TRUE)
  graphics::plot.new()
  labels <- c(names(series), "95 % interval", "perfect")
  reliability_legend(series, labels, function(...) {
    widest <- 1.2 * max(graphics::strwidth(labels, cex = 0.85))
    graphics::legend("top", ..., horiz = TRUE, bty = "n", cex = 0.85, text.width = widest)
  }, list(...)[["col"]])
}

reliability_style <- function(series, given = NULL) {
  colours <- margin_colours(2L, given)
  colours <- c(uncalibrated = colours[2L], calibrated = colours[1L])
  shapes <- c(uncalibrated = 24L, calibrated = 21L)
  list(colours = unname(colours[names(series)]), shapes = unname(shapes[names(series)]))
}

# Points with their intervals over a strip that shows how many rows have which probability.
draw_reliability <- function(series, level, table, ours, ...) {
  strip <- 0.2
  draw(graphics::plot, c(list(x = c(0, 1), y = c(-strip, 1), type = "n", yaxt = "n"), ours),
       list(...))
  graphics::axis(2, at = seq(0, 1, 0.2), las = 1)
  graphics::axis(2, at = -strip / 2, labels = "rows", tick = FALSE, las = 1)
  graphics::abline(h = 0, col = "grey70")
  graphics::segments(0, 0, 1, 1, lty = 2, col = "grey40")
  style <- reliability_style(series, list(...)[["col"]])
  for (i in seq_along(series)) {
    at <- table[table$probabilities == names(series)[i], ]
    draw_rows(series[[i]][, level], style$colours[i], strip)
    graphics::segments(at$mean_prob, at$lower, at$mean_prob, at$upper, col = style$colours[i],
                       lwd = 1.5)
    graphics::lines(at$mean_prob, at$observed, col = style$colours[i], lty = 3)
    graphics::points(at$mean_prob, at$observed, pch = style$shapes[i], bg = style$colours[i],
                     col = "white", cex = 1.2)
  }
}

draw_rows <- function(prob, colour, strip) {
  counts <- graphics::hist(prob, breaks = seq(0, 1, 0.05), plot = FALSE)$counts
  left <- seq(0, 0.95, 0.05)
  graphics::rect(left, -strip, left + 0.05, -strip + 0.9 * strip * counts / max(counts),
                 col = grDevices::adjustcolor(colour, 0.45), border = NA)
}

reliability_legend <- function(series, labels, place, given = NULL) {
  style <- reliability_style(series, given)
  k <- length(series)
  place(labels, pch = c(style$shapes, 124L, NA), pt.bg = c(style$colours, NA, NA),
        col = c(rep("white", k), "grey30", "grey40"), lty = c(rep(NA, k + 1L), 2), pt.cex = 1.2)
}
