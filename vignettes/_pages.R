# What the pages share: how they are drawn and how they write numbers, figures of intervals, and the
# command that computes a figure again. A page sources this from its own folder.

source(system.file("experiments", "_verdict.R", package = "dualmargin"))

# The chunks of a page, and how R prints. Figures are PNG with a palette, a quarter of what png() and svg() write.
page_options <- function(height = 4, width = 7.5, digits = 4, columns = 90) {
  cairo <- capabilities("cairo")
  knitr::opts_chunk$set(collapse = TRUE, comment = "#>", fig.width = width, fig.height = height, dpi = 120,
                        out.width = "96%", fig.align = "center", dev = if (cairo) "bmp" else "png",
                        fig.ext = if (cairo) "bmp" else "png", dev.args = if (cairo) list(type = "cairo"),
                        fig.process = with_palette)
  options(digits = digits, width = columns)
  # a figure is recorded where it is drawn: pdf(), which knitr takes else, measures text in another font
  if (cairo) options(device = function(width = 7, height = 7) {
    grDevices::png(tempfile(), width, height, units = "in", res = 120, type = "cairo")
  })
}

# The file of bmp() as PNG of 64 of its colours, the most frequent that are far enough apart; the others, edges
# of lines and letters nearly all, become the nearest of these.
with_palette <- function(path) {
  if (!endsWith(path, "bmp")) return(path)
  bytes <- readBin(path, "raw", file.size(path))
  head <- readBin(bytes[11:26], "integer", 4L, endian = "little")  # where pixels begin, -, columns, rows
  depth <- as.integer(bytes[29L]) / 8  # 1: a palette of quadruples, 3: colours
  stopifnot(depth %in% c(1, 3), head[4L] > 0L)
  pixels <- matrix(as.integer(bytes[-seq_len(head[1L])]), ncol = head[4L])
  pixels <- pixels[seq_len(depth * head[3L]), rev(seq_len(head[4L]))]
  if (depth == 1) pixels <- matrix(as.integer(bytes[55:head[1L]]), 4L)[1:3, pixels + 1L]
  pixels <- matrix(pixels, 3L)[3:1, ]
  code <- drop(c(65536, 256, 1) %*% pixels)
  first <- which(!duplicated(code))
  which_of <- match(code, code[first])
  first <- first[by <- order(-tabulate(which_of))]
  known <- pixels[, first[0L], drop = FALSE]
  for (place in first) {
    apart <- colSums((known - pixels[, place])^2)
    if (ncol(known) < 64L && all(apart >= 32^2)) known <- cbind(known, pixels[, place])
  }
  nearness <- 2 * crossprod(pixels[, first, drop = FALSE], known) - rep(colSums(known^2), each = length(first))
  nearest <- max.col(nearness, "first")
  index <- matrix(nearest[order(by)][which_of] - 1L, head[3L])

  number <- function(x) writeBin(as.integer(x), raw(), endian = "big")
  # gzip's own trailer has the checksum that PNG asks for
  checksum <- function(bytes) {
    connection <- gzfile(file <- tempfile(), "wb")
    writeBin(bytes, connection)
    close(connection)
    rev(readBin(file, "raw", file.size(file))[file.size(file) - 7:4])
  }
  block <- function(name, bytes) {
    bytes <- c(charToRaw(name), bytes)
    c(number(length(bytes) - 4L), bytes, checksum(bytes))
  }
  writeBin(c(as.raw(c(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
             block("IHDR", c(number(head[3:4]), as.raw(c(8, 3, 0, 0, 0)))), block("PLTE", as.raw(known)),
             block("IDAT", memCompress(as.raw(rbind(0L, index)), "gzip")), block("IEND", raw())),
           to <- sub("bmp$", "png", path))
  unlink(path)
  to
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

# The command that computes stored results again, with its hours, those of its longest runs by their sidecars.
# files: the results; runs: of which commands.
again <- function(command, files, runs = "") {
  folder <- system.file("extdata", "results", package = "dualmargin", mustWork = TRUE)
  ran <- as.data.frame(do.call(rbind, lapply(file.path(folder, paste0(files, ".dcf")), read.dcf,
                                             c("Command", "Seconds"))))
  ran <- ran[grepl(runs, ran$Command), ]
  spent <- as.numeric(sub("[^0-9].*", "", sub("^at most ", "", ran$Seconds)))
  stopifnot(length(spent) > 0L, !is.na(spent))
  hours <- sum(tapply(spent, gsub("[[:space:]]+", " ", ran$Command), max)) / 3600
  sprintf("*Again:* `Rscript %s`, %s h at most.", command, if (hours < 0.1) "0.1" else number(hours,
    if (hours < 1) 1 else 2))
}

# The claims of a paper: claim, its evidence, ours, verdict.
claims_table <- function(rows, caption) {
  knitr::kable(rows, col.names = c("claim", "the paper's evidence", "ours", "verdict"), align = "llll",
               row.names = FALSE, caption = caption)
}
