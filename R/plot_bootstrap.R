# Intervals around estimates, or how often a coefficient is not 0.

#' @rdname margin_bootstrap
#' @export
plot.margin_bootstrap <- function(x, which = NULL, level = 0.95, type = NULL, top = 20L,
                                  scaled = TRUE, ...) {
  assert_plot_arguments("plot()", ...)
  assert_bootstrap(x, "x")
  assert_has_coefficients(x, "x")
  which <- if (is.null(which)) "intervals" else
    assert_choice(which, c("intervals", "selection"), "which")
  if (which == "selection" && !has_selection(x)) {
    abort_input(paste(
      "`which` is \"selection\", but a fit without an l1 penalty (mixture = 0) has no coefficient",
      "of 0; draw \"intervals\"."
    ), "which")
  }
  assert_number(top, "top", lower = 1, upper = Inf, open = FALSE, whole = TRUE)
  assert_flag(scaled, "scaled")
  type <- interval_type(x, type)
  assert_reach(x, level, type)
  table <- coefficient_table(x, level, type)
  table$scale <- x$scales
  table <- table[table$term != "(Intercept)", ]
  by <- if (which == "selection") table$selected else abs(table$estimate * table$scale)
  drawn <- utils::head(table[order(-by), ], top)
  if (scaled && which == "intervals") {
    for (name in c("estimate", "lower", "upper")) drawn[[name]] <- drawn[[name]] * drawn$scale
  }
  theirs <- list(...)
  label <- shorten(drawn$term)
  of <- problem_of_row(drawn)
  if (!is.null(of)) label <- paste0(label, " (", shorten(of, 16L), ")")
  size <- max(0.35, min(0.85, (graphics::par("fin")[2L] - 1.45) / nrow(drawn) / 0.17))
  inches <- max(graphics::strwidth(label, units = "inches", cex = size)) + 0.3
  old <- graphics::par(mai = c(0.85, min(inches, 0.6 * graphics::par("fin")[1L]), 0.6, 0.25))
  on.exit(graphics::par(old))
  (if (which == "selection") draw_selection else draw_intervals)(
    x, drawn, level, type, scaled, nrow(table), theirs
  )
  graphics::axis(2, rev(seq_along(label)), label, las = 1, tick = FALSE, cex.axis = size,
                 gap.axis = -1)
  invisible(without_row_names(drawn))
}

draw_intervals <- function(x, drawn, level, type, scaled, candidates, theirs) {
  at <- rev(seq_len(nrow(drawn)))
  ends <- c(drawn$estimate, drawn$lower, drawn$upper, 0)
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = range(ends[is.finite(ends)]), y = c(0.5, nrow(drawn) + 0.5), type = "n", yaxt = "n",
    ylab = "", las = 1,
    xlab = if (scaled) "coefficient times the column's standard deviation" else
      "coefficient (per unit of the column)",
    main = sprintf("%s %% intervals of the penalised estimate%s", format(100 * level),
                   if (nrow(drawn) < candidates) sprintf(", %d of %d", nrow(drawn), candidates) else
                     "")
  ), theirs[names(theirs) != "col"])
  graphics::abline(v = 0, lty = 2, col = "grey40")
  graphics::segments(drawn$lower, at, drawn$upper, at, col = colour, lwd = 2)
  graphics::points(drawn$estimate, at, pch = 21, col = colour, bg = "white")
}

draw_selection <- function(x, drawn, level, type, scaled, candidates, theirs) {
  at <- rev(seq_len(nrow(drawn)))
  colour <- margin_colours(1L, theirs[["col"]])
  draw(graphics::plot, list(
    x = c(0, 1), y = c(0.5, nrow(drawn) + 0.5), type = "n", yaxt = "n", ylab = "", las = 1,
    xlab = sprintf("share of %s in which it is not 0", count(nrow(x$results), "refit")),
    main = if (nrow(drawn) < candidates) sprintf("The %d of %d picked most often", nrow(drawn),
                                                 candidates) else "How often it is picked"
  ), theirs[names(theirs) != "col"])
  graphics::rect(0, at - 0.35, drawn$selected, at + 0.35, col = colour, border = NA)
  # those of the fit itself
  own <- drawn$estimate != 0
  graphics::points(drawn$selected[own], at[own], pch = 21, col = colour, bg = "white")
}
