# Pictures of an audit: decision values of the fit beside those of the optimum; and of several, the
# excess of each.

#' @rdname margin_audit
#' @param problem For `plot()` the problem to draw, by name or number; `NULL` is the one whose
#'   decision values move most.
#' @export
plot.margin_audit <- function(x, problem = NULL, ...) {
  assert_plot_arguments("plot()", ..., also = c("pch", "cex"))
  names <- x$excess$problem
  rows <- x$training
  # one problem of all classes has a column for each of them
  if (ncol(rows$scores) != length(names)) names <- x$levels
  place <- if (is.null(problem)) {
    which.max(apply(abs(rows$scores - rows$best), 2L, max))
  } else if (is.character(problem)) {
    assert_choice(problem, names, "problem")
    match(problem, names)
  } else {
    assert_number(problem, "problem", lower = 1, upper = length(names), open = FALSE, whole = TRUE)
    problem
  }
  table <- data.frame(score = rows$scores[, place], best = rows$best[, place],
                      lower = rows$lower[, place], upper = rows$upper[, place])
  table$changed <- if (is.null(x$levels)) FALSE else
    !is.na(rows$optimum) & rows$optimum != rows$class
  colours <- margin_colours(2L)
  limits <- range(table$score, table$best)
  draw(graphics::plot, list(
    x = table$score, y = table$best, col = ifelse(table$changed, colours[2L], colours[1L]),
    pch = ifelse(table$changed, 19, 1), xlim = limits, ylim = limits,
    xlab = sprintf("decision value, %s", x$title), ylab = "at the optimum",
    main = sprintf("%s: %s", if (length(names) > 1L) names[place] else x$peer, x$verdict)
  ), list(...))
  graphics::abline(0, 1, col = "grey60")
  if (!is.null(x$levels)) graphics::abline(h = 0, v = 0, lty = 3, col = "grey60")
  shown <- is.finite(table$lower) & is.finite(table$upper) & table$upper > table$lower
  if (any(shown)) {
    graphics::segments(table$score[shown], table$lower[shown], y1 = table$upper[shown],
                       col = "grey60")
  }
  # not hidden by the others
  graphics::points(best ~ score, table[table$changed, ], pch = 19, col = colours[2L])
  invisible(table)
}

#' @rdname margin_audit
#' @usage NULL
#' @export
plot.margin_audits <- function(x, ...) {
  assert_plot_arguments("plot()", ..., also = c("pch", "cex"))
  table <- audits_table(x)
  # an excess below what doubles resolve is drawn where they end
  floor <- .Machine$double.eps
  ends <- pmax(cbind(table$relative_from, table$relative_to), floor)
  full <- !is.na(table$changed) & table$changed > 0
  colours <- margin_colours(2L)[1L + full]
  path <- attr(x, "lambda")
  common <- list(type = "n", main = "How far above the optimum")
  excess <- "relative excess (filled: classes change)"
  if (is.null(path)) {
    place <- rev(seq_along(x))
    label <- shorten(names(x), 48L)
    inches <- max(graphics::strwidth(label, "inches")) + 0.3
    old <- graphics::par(mai = c(0.85, min(inches, 0.6 * graphics::par("fin")[1L]), 0.6, 0.25))
    on.exit(graphics::par(old))
    draw(graphics::plot, c(list(x = range(ends), y = c(0.5, length(x) + 0.5), log = "x", yaxt = "n",
                                xlab = excess, ylab = ""), common), list(...))
    graphics::abline(h = place, col = "grey93")
    graphics::axis(2, place, label, las = 1, tick = FALSE, gap.axis = -1)
    graphics::segments(ends[, 1L], place, ends[, 2L], col = colours)
    spot <- list(x = ends[, 2L], y = place)
  } else {
    draw(graphics::plot, c(list(x = range(path), y = range(ends), log = "xy", xlab = "lambda",
                                ylab = excess), common), list(...))
    graphics::segments(path, ends[, 1L], path, ends[, 2L], col = colours)
    spot <- list(x = path, y = ends[, 2L])
  }
  graphics::points(spot, pch = ifelse(full, 19, 21), col = colours,
                   bg = ifelse(full, colours, "white"))
  invisible(table)
}
