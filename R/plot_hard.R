# The plots that belong to maximum margins. Called by plot.margin_fit().

plot_interval <- function(fit, ...) {
  if (!inherits(fit, "margin_hard")) {
    abort_input(sprintf(
      "`which` is \"interval\", which margin_hard() has; of a %s fit draw \"convergence\".",
      sub("margin_", "", class(fit)[1L])
    ), "which")
  }
  trace <- fit$trace
  # a margin below zero says no more than zero does
  ends <- data.frame(epoch = trace$epoch, margin = cummax(pmax(trace$value, 0)),
                     bound = cummin(trace$bound))
  ends <- ends[is.finite(ends$bound), ]
  labels <- c("smallest bound", "largest margin")
  colours <- margin_colours(2L, list(...)$col)
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  draw(graphics::plot, list(
    x = range(0, ends$epoch), y = range(0, ends$margin, ends$bound), type = "n", las = 1,
    xlab = "epochs (passes over the data)", ylab = "margin (unit of the columns)",
    main = paste0("Interval around the maximum margin", if (is.na(fit$separable))
      ": separable or not is UNDECIDED" else if (!fit$separable) ": NOT separable")
  ), list(...))
  graphics::polygon(c(ends$epoch, rev(ends$epoch)), c(ends$margin, rev(ends$bound)),
                    col = "grey92", border = NA)
  kind <- if (nrow(ends) > 40L) "l" else "o"
  graphics::lines(ends$epoch, ends$bound, type = kind, col = colours[1L], pch = 25L,
                  bg = colours[1L], lwd = 2)
  graphics::lines(ends$epoch, ends$margin, type = kind, col = colours[2L], pch = 24L,
                  bg = colours[2L], lwd = 2)
  side_legend(room, labels, col = colours, pt.bg = colours, pch = c(25, 24), lwd = 2)
  without_row_names(ends)
}

plot_support <- function(fit, top, class, ...) {
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  table <- support_rows(fit)
  if (!is.null(class)) table <- table[table$class %in% class, ]
  all <- nrow(table)
  table <- utils::head(table, top)
  levels <- levels(factor(table$response))
  colours <- stats::setNames(margin_colours(length(levels)), levels)
  upwards <- rev(seq_len(nrow(table)))
  label <- if (is.null(table$class)) table$row else paste0(table$row, " (not ", table$class, ")")
  old <- graphics::par(mar = c(4.2, 7, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(shorten(levels, 24L))
  draw(graphics::barplot, list(
    height = abs(table$weight[upwards]), names.arg = shorten(label[upwards], 18L), horiz = TRUE,
    las = 1, border = NA, col = colours[as.character(table$response[upwards])],
    xlab = "weight (size of the dual variable)", cex.names = 0.8,
    main = if (nrow(table) < all) sprintf("The %d heaviest of %d support vectors", nrow(table), all)
    else "Support vectors"
  ), list(...))
  side_legend(room, shorten(levels, 24L), fill = colours, border = NA)
  table
}
