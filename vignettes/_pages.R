# What the pages share: figures of intervals and the table of what a paper contains. A page sources
# this from its own folder.

# A row an estimate with its interval, on a logarithmic axis (or log = ""). Filled: a verdict was
# told; hollow: undecided. expected: what a theory predicts for the row, a cross.
draw_intervals <- function(labels, estimate, lower, upper, told, xlab, colour = "black", log = "x",
                           at = if (log == "x") 1 else 0, expected = NULL, left = 14) {
  n <- length(labels)
  par(mar = c(4.2, left, 0.6, 0.8), mgp = c(2.4, 0.6, 0), tcl = -0.3)
  range <- range(estimate, lower, upper, at, expected, na.rm = TRUE, finite = TRUE)
  plot(NA, xlim = range, ylim = c(n + 0.6, 0.4), log = log, yaxt = "n", ylab = "", xlab = xlab)
  abline(h = seq_len(n), col = "grey93")
  abline(v = at, lty = 2, col = "grey40")
  axis(2, seq_len(n), labels, las = 1, tick = FALSE, cex.axis = 0.9, gap.axis = -1)
  segments(lower, seq_len(n), upper, seq_len(n), col = colour, lwd = 2)
  points(estimate, seq_len(n), pch = ifelse(told, 19, 21), col = colour, bg = "white", cex = 1.1)
  if (!is.null(expected)) points(expected, seq_len(n), pch = 4, lwd = 2, col = "grey20")
}

# Of a paper: what it contains, and what this page has of it or why not. rows: a character matrix of
# two columns.
contents_table <- function(rows, caption) {
  knitr::kable(rows, col.names = c("in the paper", "on this page, or why not"), align = "ll",
               caption = caption)
}
