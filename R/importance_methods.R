# What a result of importance() shows.

#' @rdname importance
#' @export
print.margin_importance <- function(x, top = 20L, digits = max(3L, getOption("digits") - 3L),
                                    ...) {
  assert_no_extra("print()", ...)
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  table <- x$importance
  shown <- utils::head(table, top)
  cat(fold_lines(c(
    sprintf("<margin_importance> of %s", count(nrow(table), if (x$type == "permutation")
      "variable" else "column")),
    if (x$type == "coefficient") {
      "  |coefficient| times the standard deviation of the column"
    } else {
      c(sprintf("  how much worse %s gets when a variable is permuted, mean of %s",
                metric_label(x$metric), count(x$repeats, "repeat")),
        sprintf("  on %s, where it is %s", count(x$n, "row"), format(x$baseline, digits = digits)),
        if (x$missing > 0L) sprintf("  %s left out: no response or no prediction",
                                    count(x$missing, "row")),
        if (isTRUE(x$fitted)) "  these are the rows of the fit, which may be using their noise")
    }
  )), sep = "\n")
  out <- data.frame(variable = shorten(shown$variable, 40L),
                    importance = show_numbers(shown$importance, digits))
  if (!is.null(shown$std.dev)) out$std.dev <- show_numbers(shown$std.dev, digits)
  print_table(out, "variable")
  if (nrow(shown) < nrow(table)) {
    cat(sprintf("and %d more\n", nrow(table) - nrow(shown)))
  }
  invisible(x)
}

#' @rdname importance
#' @export
as.data.frame.margin_importance <- function(x, row.names = NULL, optional = FALSE, ...) {
  assert_no_extra("as.data.frame()", ...)
  x$importance
}

#' @rdname importance
#' @export
tidy.margin_importance <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$importance)
}

#' @rdname importance
#' @export
glance.margin_importance <- function(x, ...) {
  assert_no_extra("glance()", ...)
  first <- x$importance[1L, ]
  of_rows <- function(value, none) if (is.null(value)) none else value
  as_tibble_if_installed(data.frame(
    type = x$type, n_variables = nrow(x$importance), first = first$variable,
    importance = first$importance, metric = of_rows(x$metric, NA_character_),
    baseline = of_rows(x$baseline, NA_real_), repeats = of_rows(x$repeats, NA_integer_),
    nobs = of_rows(x$n, NA_integer_)
  ))
}

#' @rdname importance
#' @export
plot.margin_importance <- function(x, top = 20L, ...) {
  assert_plot_arguments("plot()", ...)
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  theirs <- list(...)
  table <- utils::head(x$importance, top)
  upwards <- rev(seq_len(nrow(table)))
  # names as large as the bars permit
  size <- max(0.35, min(0.85, (graphics::par("fin")[2L] - 1.45) / nrow(table) / 0.17))
  label <- shorten(table$variable)
  inches <- max(graphics::strwidth(label, units = "inches", cex = size)) + 0.3
  old <- graphics::par(mai = c(0.85, min(inches, 0.6 * graphics::par("fin")[1L]), 0.6, 0.25))
  on.exit(graphics::par(old))
  colours <- margin_colours(2L, theirs[["col"]])
  values <- if (!is.null(x$values)) x$values[seq_len(nrow(table)), , drop = FALSE]
  key <- if (length(values) > 0L && ncol(values) > 1L) c("mean", "a repeat")
  room <- if (!is.null(key)) make_legend_room(key, below = TRUE)
  heights <- table$importance[upwards]
  span <- range(0, heights[is.finite(heights)], values[is.finite(values)])
  middles <- draw(graphics::barplot, list(
    height = heights, names.arg = rep("", nrow(table)), horiz = TRUE, las = 1, border = NA,
    xlim = range(pretty(span)), xlab = importance_label(x),
    main = if (nrow(table) < nrow(x$importance)) sprintf("The %d most important of %d", nrow(table),
                                                         nrow(x$importance)) else "Importance"
  ), utils::modifyList(theirs, list(col = colours[1L])))
  graphics::axis(2, middles, label[upwards], las = 1, tick = FALSE, cex.axis = size, gap.axis = -1)
  graphics::abline(v = 0, col = "grey40")
  if (!is.null(key)) {
    graphics::points(as.vector(values[upwards, ]), rep(middles, ncol(values)), pch = 21, cex = 0.7,
                     bg = colours[2L], col = "white", lwd = 0.5)
    side_legend(room, key, pch = c(22, 21), pt.bg = colours, col = c(NA, "white"),
                pt.cex = c(1.6, 0.9))
  }
  invisible(table)
}

importance_label <- function(x) {
  if (x$type == "coefficient") "|coefficient| times the column's standard deviation" else
    sprintf("%s worse when permuted%s", metric_label(x$metric),
            if (x$fitted) " (training rows)" else "")
}
