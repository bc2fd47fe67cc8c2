# Coverage, sizes and intervals of conformal sets for rows with a known response.

#' @rdname margin_conformal
#' @param which `"coverage"`: the share of responses in the sets against the level, with exact
#'   binomial intervals, beside what is aimed at and what is guaranteed. `"sizes"`: how many sets
#'   have which size, or how wide intervals are. `"intervals"`, for a regression: intervals against
#'   the response, those that miss it marked.
#' @export
plot.margin_conformal <- function(x, newdata, y = NULL,
                                  which = c("coverage", "sizes", "intervals"), by = NULL, ...) {
  which <- one_of(which, c("coverage", "sizes", "intervals"), "which")
  assert_plot_arguments("plot()", ...)
  assert_conformal(x, "x")
  if (missing(newdata) || is.null(newdata)) {
    abort_input("`newdata` is missing; give rows with their response.", "newdata")
  }
  if (which == "intervals" && x$task != "regression") {
    abort_input("`which` is \"intervals\", which sets of classes are not; use \"sizes\".", "which")
  }
  drawn <- switch(which, coverage = plot_set_coverage(x, newdata, y, by, list(...)),
                  sizes = plot_set_sizes(x, newdata, y, by, list(...)),
                  intervals = plot_set_intervals(x, newdata, y, by, list(...)))
  invisible(drawn)
}

plot_set_coverage <- function(object, newdata, y, by, theirs) {
  level <- sort(unique(c(seq(0.5, 0.95, by = 0.05), object$level)))
  table <- summary(object, newdata, y, level, by)
  table <- table[table$of == "all", ]
  key <- c("measured, 95 % interval", "aimed at", "guaranteed at least")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(key)
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = level, y = table$coverage, type = "n", las = 1, xlim = range(level),
    ylim = range(table$lower, table$upper, table$guaranteed, level), xlab = "level",
    ylab = "share of responses in the set",
    main = sprintf("Coverage of %s", count(table$n[1L], "row"))
  ), theirs)
  graphics::lines(level, level, lty = 2, col = "grey30")
  graphics::lines(level, table$guaranteed, lty = 3, lwd = 2, col = "grey30")
  graphics::segments(level, table$lower, level, table$upper, col = colour)
  graphics::points(level, table$coverage, pch = 21, bg = colour, col = colour)
  side_legend(room, key, col = c(colour, "grey30", "grey30"), pt.bg = colour, pch = c(21, NA, NA),
              lty = c(1, 2, 3), lwd = c(1, 1, 2))
  table
}

plot_set_sizes <- function(object, newdata, y, by, theirs) {
  judged <- judged_sets(object, newdata, y, object$level[1L], by)
  sets <- judged$sets[[1L]]
  size <- set_sizes(object, sets)
  hit <- covers(object, sets, judged$truth)
  colours <- margin_colours(2L, theirs[["col"]])
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  key <- c("response in the set", "not in it")
  room <- make_legend_room(key)
  title <- sprintf("Sets at level %s", format(object$level[1L], digits = 4L))
  if (object$task == "regression") {
    finite <- is.finite(size)
    if (!any(finite)) {
      abort_input("`newdata` has no row with a finite interval; use a smaller level.", "newdata")
    }
    breaks <- pretty(range(size[finite]), 30L)
    if (length(breaks) < 2L) breaks <- breaks + c(-0.5, 0.5)
    part <- function(inside) graphics::hist(size[finite & inside], breaks, plot = FALSE)$counts
    counts <- rbind(part(hit), part(!hit))
    middle <- (breaks[-1L] + breaks[-length(breaks)]) / 2
    draw(graphics::plot, list(
      x = range(breaks), y = c(0, 1.05 * max(colSums(counts))), type = "n", las = 1, ylab = "rows",
      xlab = "width of the interval", main = title
    ), theirs)
    graphics::rect(breaks[-length(breaks)], 0, breaks[-1L], counts[1L, ], col = colours[1L],
                   border = NA)
    graphics::rect(breaks[-length(breaks)], counts[1L, ], breaks[-1L], colSums(counts),
                   col = colours[2L], border = NA)
    side_legend(room, key, fill = colours, border = NA)
    return(data.frame(width = middle, inside = counts[1L, ], missed = counts[2L, ]))
  }
  sizes <- 0:length(object$levels)
  counts <- rbind(tabulate(size[hit] + 1L, length(sizes)), tabulate(size[!hit] + 1L, length(sizes)))
  draw(graphics::barplot, list(
    height = counts, names.arg = sizes, las = 1, border = NA,
    ylim = c(0, 1.05 * max(colSums(counts))), xlab = "classes in the set",
    ylab = "rows", main = title
  ), utils::modifyList(theirs, list(col = colours)))
  side_legend(room, key, fill = colours, border = NA)
  data.frame(size = sizes, inside = counts[1L, ], missed = counts[2L, ])
}

plot_set_intervals <- function(object, newdata, y, by, theirs) {
  judged <- judged_sets(object, newdata, y, object$level[1L], by)
  sets <- judged$sets[[1L]]
  hit <- covers(object, sets, judged$truth)
  colours <- margin_colours(2L, theirs[["col"]])
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  key <- c("holds the response", "misses it")
  room <- make_legend_room(key)
  ends <- c(sets$lower, sets$upper)
  limits <- range(judged$truth, ends[is.finite(ends)])
  inner <- function(end) pmin(pmax(end, limits[1L] - diff(limits)), limits[2L] + diff(limits))
  draw(graphics::plot, list(
    x = range(judged$truth), y = limits, type = "n", las = 1, xlab = "response",
    ylab = "interval",
    main = sprintf("Intervals at level %s", format(object$level[1L], digits = 4L))
  ), theirs)
  shown <- sets$lower <= sets$upper
  graphics::segments(judged$truth[shown], inner(sets$lower[shown]), judged$truth[shown],
                     inner(sets$upper[shown]), col = colours[2L - hit[shown]],
                     lty = ifelse(hit, 1, 2)[shown])
  graphics::abline(0, 1, col = "grey40")
  side_legend(room, key, col = colours, lty = 1:2)
  data.frame(response = judged$truth, sets, inside = hit)
}
