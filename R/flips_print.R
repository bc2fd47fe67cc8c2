# What a person sees of the rows that predictions hang on.

#' @exportS3Method
print.margin_flips <- function(x, digits = 3L, ...) {
  assert_no_extra("print()", ...)
  s <- x$summary
  done <- if (x$change == "remove") "removed" else "relabelled"
  of_all <- function(n) {
    sprintf("%s of %s", format(n, big.mark = ","), count(s$predicted, "prediction"))
  }
  cat(fold_lines(sprintf("<margin_flips> rows %s, of %s; %s loss, lambda = %s", done,
                         count(x$fitted, "row"), format(x$loss),
                         format(x$lambda, digits = digits))), sep = "\n")
  cat(key_lines(c(
    "one row" = paste0(of_all(s$alone), " could be flipped by one row alone",
                       if (s$alone > 0L) sprintf(", %d certainly", s$proven)),
    "undecided" = if (s$undecided > 0L) {
      paste(of_all(s$undecided), "may not have the class of the exact optimum as it is")
    }
  )), sep = "\n")
  if (s$predicted > 0L) {
    number <- function(n) format(n, big.mark = ",")
    cat(fold_lines(c(
      sprintf(paste("Lower bound on the rows needed: median %s, range %s to %s. Fewer rows cannot",
                    "flip the prediction; this many may not suffice."),
              number(s$median), number(s$least), number(s$most)),
      flips_advice(x, digits)
    )), sep = "\n")
  }
  invisible(x)
}

# Where the bound of most predictions is one or two rows, it says next to nothing: the change of a
# row moves scores by no more than 1/lambda allows, so a larger penalty has larger bounds, those of
# hinges less so, which have no curvature.
flips_advice <- function(x, digits) {
  s <- x$summary
  if (s$median > 2) {
    return(NULL)
  }
  if (2 * s$undecided > s$predicted) {
    return(paste("The bound is 0 where the fit leaves the class open: solve it further, by",
                 "margin_control(tol = ), and ask again."))
  }
  curved <- x$loss$name %in% c("logistic", "squared")
  sprintf(paste(
    if (s$most <= 1) "The bound is empty at lambda = %s: it is one row for every prediction." else
      "So small a bound is of little use at lambda = %s.",
    "It rises with the penalty%s: try a fit with lambda = %s."
  ), format(x$lambda, digits = digits), if (curved) "" else
    " and is larger for the logistic loss", format(signif(100 * x$lambda, 1)))
}

#' @exportS3Method
plot.margin_flips <- function(x, row = NULL, ...) {
  assert_plot_arguments("plot()", ...)
  table <- x$rows
  theirs <- list(...)
  others <- theirs[names(theirs) != "col"]
  done <- if (x$change == "remove") "removed" else "relabelled"
  colour <- margin_colours(1L, theirs[["col"]])
  if (!is.null(row)) {
    if (!check_number(row, whole = TRUE)$ok || !row %in% x$bounds$row) {
      abort_input(sprintf("`row` is %s, but must be the number of one of the predicted rows.",
                          show_value(row)), "row")
    }
    bounds <- x$bounds[x$bounds$row == row, ]
    room <- abs(table$score[match(row, table$row)])
    draw(graphics::barplot, list(
      height = pmax(0, pmin(bounds$bound, 2 * room)), names.arg = bounds$changed, las = 2,
      border = NA, col = ifelse(is.na(bounds$flips) | bounds$flips, colour, "grey75"),
      ylim = c(0, max(1.05 * room, pmin(bounds$bound, 2 * room))),
      xlab = sprintf("row %s", done), ylab = "decision value moves by at most",
      main = sprintf("prediction %s: at least %s to flip", format(row),
                     count(table$needed[match(row, table$row)], "row"))
    ), others)
    graphics::abline(h = room, lty = 2, col = "grey40")
    return(invisible(bounds))
  }
  table <- table[is.finite(table$needed), ]
  needed <- table$needed
  if (length(needed) == 0L) {
    abort_input("`x` has no prediction with a finite number of rows to draw.", "x")
  }
  # one bar a number of rows, or a range of them where there are many
  width <- max(1, ceiling((max(needed) + 1) / 40))
  from <- seq(min(needed, 1), max(needed), by = width)
  heights <- tabulate((needed - from[1L]) %/% width + 1, length(from))
  draw(graphics::barplot, list(
    height = heights, col = colour, border = NA, las = 1, space = 0.2,
    names.arg = if (width == 1) from else sprintf("%d-%d", from, from + width - 1),
    xlab = sprintf("rows that must be %s, at least", done), ylab = "predictions",
    main = sprintf("%s that one row could flip", count(x$summary$alone, "prediction"))
  ), others)
  invisible(table[c("row", "needed")])
}
