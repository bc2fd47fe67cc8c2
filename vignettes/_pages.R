# What the pages share: how they are drawn and how they write numbers, figures of intervals, and the
# command that computes a figure again. A page sources this from its own folder.

source(system.file("experiments", "_verdict.R", package = "dualmargin"))

# The chunks of a page, and how R prints. Figures are vectors; one of many points asks for dev = "png".
page_options <- function(height = 4, width = 7.5, digits = 4, columns = 90) {
  knitr::opts_chunk$set(collapse = TRUE, comment = "#>", fig.width = width, fig.height = height, dev = "svg",
                        dpi = 120, fig.align = "center")
  options(digits = digits, width = columns)
}
okabe <- unname(palette.colors(9L, "Okabe-Ito"))

# A stored result by its name without ending.
result <- function(name, ...) {
  at <- system.file("extdata", "results", paste0(name, c(".csv", ".csv.xz")), package = "dualmargin",
                    mustWork = TRUE)
  utils::read.csv(at, ...)
}
number <- function(x, digits = 2) {
  vapply(x, function(one) {
    format(signif(one, digits), scientific = FALSE, drop0trailing = TRUE, big.mark = ",", trim = TRUE)
  }, "")
}
tiny <- function(x, digits = 2) sub("e([+-])0", "e\\1", sprintf("%.*e", digits - 1L, x))
percent <- function(x, digits = 1, unit = " %") paste0(sprintf("%.*f", digits, 100 * x), unit)
listed <- function(x) paste(x, collapse = ", ")
# "2 to 5", of one number itself.
from_to <- function(x, digits = 2) paste(unique(number(range(x), digits)), collapse = " to ")

# Of comparisons without a verdict: the median difference that would have been seen, with a probability of 0.8.
could_see <- function(rows) stats::median(rows$detectable[rows$verdict == "undecided"], na.rm = TRUE)

# A logarithmic axis by powers of ten.
powers <- function(side, at = 10^(-16:6)) {
  axis(side, at, parse(text = sprintf("10^%d", round(log10(at)))), las = 1)
}
# Median and range, over x.
draw_band <- function(x, low, middle, high, colour, lty = 1, ...) {
  polygon(c(x, rev(x)), c(low, rev(high)), border = NA, col = adjustcolor(colour, 0.2))
  lines(x, middle, col = colour, lty = lty, lwd = 2, ...)
}

# A row an estimate with its interval, on a logarithmic axis (or log = ""). Filled: a verdict;
# hollow: undecided. expected: what a theory predicts for the row, a cross.
draw_intervals <- function(labels, estimate, lower, upper, decided, xlab, colour = "black", log = "x",
                           at = if (log == "x") 1 else 0, expected = NULL, left = 14) {
  n <- length(labels)
  par(mar = c(4.2, left, 0.6, 0.8), mgp = c(2.4, 0.6, 0), tcl = -0.3)
  range <- range(estimate, lower, upper, at, expected, na.rm = TRUE, finite = TRUE)
  plot(NA, xlim = range, ylim = c(n + 0.6, 0.4), log = log, yaxt = "n", ylab = "", xlab = xlab)
  abline(h = seq_len(n), col = "grey93")
  abline(v = at, lty = 2, col = "grey40")
  axis(2, seq_len(n), labels, las = 1, tick = FALSE, cex.axis = 0.9, gap.axis = -1)
  segments(lower, seq_len(n), upper, seq_len(n), col = colour, lwd = 2)
  points(estimate, seq_len(n), pch = ifelse(decided, 19, 21), col = colour, bg = "white", cex = 1.1)
  if (!is.null(expected)) points(expected, seq_len(n), pch = 4, lwd = 2, col = "grey20")
}

# The command that computes stored results again, with its hours: from the start of each run to the
# commit of its table (_hours.csv), so at most that. files: the results; runs: of which commands.
again <- function(command, files, runs = "") {
  spent <- utils::read.csv("_hours.csv")
  spent <- unique(spent[spent$file %in% files & grepl(runs, spent$command), c("command", "hours")])
  stopifnot(nrow(spent) > 0L)
  hours <- sum(tapply(spent$hours, spent$command, max))
  sprintf("*Again:* `Rscript %s`, %s h at most.", command, if (hours < 0.1) "0.1" else number(hours,
    if (hours < 1) 1 else 2))
}

# The claims of a paper: claim, its evidence, ours, verdict.
claims_table <- function(rows, caption) {
  knitr::kable(rows, col.names = c("claim", "the paper's evidence", "ours", "verdict"), align = "llll",
               row.names = FALSE, caption = caption)
}
