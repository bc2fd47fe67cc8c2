# What a result of margin_performance() shows: print, data frames, the curves.

#' @rdname margin_performance
#' @param x A result of `margin_performance()`.
#' @param digits Significant digits.
#' @export
print.margin_performance <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  assert_no_extra("print()", ...)
  cat(fold_lines(c(
    sprintf("<margin_performance> of a %s on %s%s", task_words[[x$task]], count(x$n, "row"),
            if (x$weighted) ", weighted" else ""),
    if (is.na(x$fitted)) "  these may be the training rows: expect worse on new rows",
    if (isTRUE(x$fitted)) "  these are the training rows: expect worse on new rows",
    if (x$missing > 0L) sprintf("  %s left out: no response or no prediction",
                                count(x$missing, "row")),
    if (!is.null(x$threshold)) sprintf("  threshold %s%s, %s",
                                       format(x$threshold$value, digits = digits),
                                       if (identical(x$threshold$on, "prob"))
                                         " of the probability" else "",
                                       x$threshold$source),
    if (!is.null(x$confusion) && nrow(x$confusion) == 2L &&
          any(x$metrics$metric %in% metrics_of_one_class))
      sprintf("  positive class (of sensitivity, precision, curves): %s", rownames(x$confusion)[2L])
  )), sep = "\n")
  table <- x$metrics
  print(data.frame(metric = table$metric, value = format(table$value, digits = digits),
                   better = ifelse(table$maximize, "higher", "lower")), row.names = FALSE,
        right = FALSE)
  if (!is.null(x$coverage)) {
    rows <- if (isTRUE(x$fitted)) "the training rows" else "these rows"
    cat(fold_lines(coverage_line(x$coverage, rows, digits)), sep = "\n")
  }
  if (!is.null(x$confusion) && length(x$levels) <= 10L) {
    cat(if (x$weighted) "weight of the rows by class:\n" else "rows by class:\n")
    print(unclass(x$confusion), digits = digits)
  }
  invisible(x)
}

# They change where the two classes change their places.
metrics_of_one_class <- c("sensitivity", "specificity", "precision", "f1", "auprc",
                          "average_precision")

#' @rdname margin_performance
#' @param row.names,optional As in [as.data.frame()].
#' @param which For `as.data.frame()`: `"metrics"`, `"roc"`, `"pr"` or `"confusion"`; for `plot()`:
#'   `"roc"` or `"pr"`.
#' @export
as.data.frame.margin_performance <- function(x, row.names = NULL, optional = FALSE,
                                             which = c("metrics", "roc", "pr", "confusion"), ...) {
  assert_no_extra("as.data.frame()", ...)
  which <- one_of(which, c("metrics", "roc", "pr", "confusion"), "which")
  if (which == "metrics") {
    return(x$metrics)
  }
  if (which == "confusion") {
    assert_has_curves(x, which)
    frame <- as.data.frame(x$confusion, responseName = "weight")
    return(without_row_names(frame))
  }
  curve_of(x, which)
}

#' @rdname margin_performance
#' @export
tidy.margin_performance <- function(x, ...) {
  assert_no_extra("tidy()", ...)
  as_tibble_if_installed(x$metrics)
}

#' @rdname margin_performance
#' @export
glance.margin_performance <- function(x, ...) {
  assert_no_extra("glance()", ...)
  values <- as.list(stats::setNames(x$metrics$value, x$metrics$metric))
  as_tibble_if_installed(data.frame(nobs = x$n, missing = x$missing, fitted = x$fitted,
                                    weighted = x$weighted, values, check.names = FALSE))
}

assert_has_curves <- function(x, which) {
  if (x$task == "regression") {
    abort_input(sprintf(paste(
      "`which` is \"%s\", but the fit is a regression and has no classes; it has \"metrics\"."
    ), which), "which")
  }
}

curve_of <- function(x, which) {
  assert_has_curves(x, which)
  if (is.null(x$curves)) {
    abort_input(paste("`x` is about rows of one class, which draw no curve; give",
                      "margin_performance() rows of two."), "x")
  }
  x$curves[[which]]
}

#' @rdname margin_performance
#' @export
plot.margin_performance <- function(x, which = c("roc", "pr"), ...) {
  assert_plot_arguments("plot()", ...)
  which <- one_of(which, c("roc", "pr"), "which")
  if (x$task == "regression") {
    abort_input(paste("`x` is about a regression, which has no curve, and keeps no rows to draw;",
                      "plot predict(fit, newdata) against the response."), "x")
  }
  table <- curve_of(x, which)
  curves <- split(table, factor(table$class, unique(table$class)))
  area <- vapply(curves, area_under, 0, which)
  labels <- c(sprintf("%s: area %.3f", shorten(names(curves), 24L), area),
              if (!is.null(x$threshold)) "threshold",
              if (which == "roc") "chance" else "share of the class")
  old <- graphics::par(mar = c(4.2, 4.6, 2.5, 1) + 0.1)
  on.exit(graphics::par(old))
  room <- make_legend_room(labels)
  roc <- which == "roc"
  draw(graphics::plot, list(
    x = c(0, 1), y = c(0, 1), type = "n", las = 1,
    xlab = if (roc) "1 - specificity" else "recall",
    ylab = if (roc) "sensitivity" else "precision",
    main = if (roc) "Receiver operating characteristic" else "Precision and recall"
  ), list(...))
  k <- length(curves)
  colours <- margin_colours(k, list(...)[["col"]])
  lines <- rep_len(1:6, k)
  own <- rowSums(x$confusion)
  if (roc) graphics::abline(0, 1, lty = 3, col = "grey40") else
    graphics::abline(h = own[names(curves)] / sum(own), lty = 3, col = colours)
  for (i in seq_along(curves)) {
    at <- curve_points(curves[[i]], roc)
    graphics::lines(at$x, at$y, col = colours[i], lty = lines[i], lwd = 1.8)
    if (!is.null(x$threshold)) {
      here <- threshold_point(x$confusion, roc)
      graphics::points(here[1L], here[2L], pch = 21L, bg = colours[i], col = "white", cex = 1.4)
    }
  }
  mark <- if (!is.null(x$threshold)) 21L
  side_legend(room, labels, col = c(colours, if (!is.null(mark)) "white", "grey40"),
              lty = c(lines, if (!is.null(mark)) NA, 3L), pch = c(rep(NA, k), mark, NA),
              pt.bg = c(rep(NA, k), if (!is.null(mark)) colours[1L], NA))
  invisible(table)
}

# Where the predicted classes are, from their table; nothing called positive has precision 1.
threshold_point <- function(confusion, roc) {
  hit <- confusion[2L, 2L] / sum(confusion[2L, ])
  called <- sum(confusion[, 2L])
  if (roc) c(confusion[1L, 2L] / sum(confusion[1L, ]), hit) else
    c(hit, if (called > 0) confusion[2L, 2L] / called else 1)
}

# Where nothing is recalled the precision is 1 by convention or that of the rows called in vain: the
# curve begins at the first row that is recalled.
curve_points <- function(curve, roc) {
  if (roc) {
    return(list(x = 1 - curve$specificity, y = curve$sensitivity))
  }
  y <- replace(curve$precision, curve$recall == 0, NA)
  list(x = curve$recall, y = y)
}

# As metrics auroc and average_precision of the class have it.
area_under <- function(curve, which) {
  n <- nrow(curve)
  if (which == "pr") {
    return(sum(diff(curve$recall) * curve$precision[-1L]))
  }
  sum(diff(1 - curve$specificity) * (curve$sensitivity[-n] + curve$sensitivity[-1L]) / 2)
}
