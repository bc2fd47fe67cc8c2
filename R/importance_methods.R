# What a result of importance() shows.

#' @rdname importance
#' @export
print.margin_importance <- function(x, top = 20L, digits = max(3L, getOption("digits") - 3L),
                                    ...) {
  assert_no_extra("print()", ...)
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  table <- x$importance
  shown <- utils::head(table, top)
  cat(sprintf("<margin_importance> of %s\n  |coefficient| times the standard deviation of the column\n",
              count(nrow(table), "column")))
  out <- data.frame(variable = shorten(shown$variable, 40L),
                    importance = show_numbers(shown$importance, digits))
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
  as_tibble_if_installed(data.frame(n_variables = nrow(x$importance), first = first$variable,
                                    importance = first$importance))
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
  colours <- margin_colours(1L, theirs[["col"]])
  heights <- table$importance[upwards]
  middles <- draw(graphics::barplot, list(
    height = heights, names.arg = rep("", nrow(table)), horiz = TRUE, las = 1, border = NA,
    xlim = range(pretty(range(0, heights[is.finite(heights)]))), xlab = importance_label,
    main = if (nrow(table) < nrow(x$importance)) sprintf("The %d most important of %d", nrow(table),
                                                         nrow(x$importance)) else "Importance"
  ), utils::modifyList(theirs, list(col = colours)))
  graphics::axis(2, middles, label[upwards], las = 1, tick = FALSE, cex.axis = size, gap.axis = -1)
  graphics::abline(v = 0, col = "grey40")
  invisible(table)
}

importance_label <- "|coefficient| times the column's standard deviation"
