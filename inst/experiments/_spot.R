# Part of _record.R: what record() does with --spot.

not_compared <- "^load|^date$|^machine$|^command$|version|^commit|^packages$|^rounds$|^slope$"
# Seconds are compared by their ratios to one another, ratios of seconds by their size.
spot_ratios <- "ratio$|^own$|^over$|^to_base$|^streams?$|^speedup$|^per_|_per_(fit|loo|warm|set|refit)$"
spot_times <- paste0("second|_ms$|_ns$|cpu|^elapsed$|^one$|^two$|^disk$|^memory$|^reading$|^cat_|^pass$|_refits$|", spot_ratios)
spot_factor <- 1.5
# By what factor seconds are apart in the mean; NA: none to compare. Those below 2 ms the clock cannot tell.
seconds_apart <- function(now, then) {
  away <- lapply(names(now), function(column) {
    value <- suppressWarnings(cbind(as.numeric(now[[column]]), as.numeric(then[[column]])))
    own <- grepl(spot_ratios, column)
    least <- if (own || grepl("_ns$|_ms$", column)) 0 else 0.002
    at <- is.finite(rowSums(value)) & rowSums(value > least) == 2
    list(log = log(value[at, 1L] / value[at, 2L]), own = rep(own, sum(at)))
  })
  log <- unlist(lapply(away, `[[`, "log"))
  own <- unlist(lapply(away, `[[`, "own"))
  if (length(log) == 0L || (!any(own) && length(log) < 2L)) return(NA_real_)
  if (!all(own)) log[!own] <- log[!own] - stats::median(log[!own])
  exp(if (any(own)) abs(mean(log[own])) else mean(abs(log)))
}
spot_line <- function(verdict, file, ...) {
  cat(sprintf("%-8s %-30s %s\n", verdict, file, paste0(...)))
}
# A table of which nothing can be computed again cheaply.
spot_none <- function(file, why) if (spotting) spot_line("none", file, "no cheap row: ", why)
spot_key <- function(rows, keys) {
  told <- lapply(rows[keys], function(column) {
    number <- suppressWarnings(as.numeric(as.character(column)))
    ifelse(is.na(column) | column == "", "", ifelse(is.na(number), as.character(column),
                                                   sprintf("%.6g", number)))
  })
  do.call(paste, c(told, sep = " | "))
}
spot_compare <- function(rows, path, keys, skip, tolerance, floor, seconds = TRUE) {
  file <- basename(path)
  before <- read_table(file.path(record_root, "inst", "extdata", "results", file))
  if (is.null(before)) {
    return(spot_line("new", file, "no committed table"))
  }
  columns <- setdiff(intersect(names(rows), names(before)), c(keys, skip))
  columns <- columns[!grepl(not_compared, columns)]
  clocked <- grep(spot_times, columns, value = TRUE)
  columns <- setdiff(columns, clocked)
  at <- if (is.null(keys)) seq_len(nrow(rows)) else match(spot_key(rows, keys),
                                                          spot_key(before, keys))
  if (all(is.na(at))) {
    return(spot_line("differs", file, "none of ", nrow(rows), " rows is in the committed table"))
  }
  rows <- rows[!is.na(at), , drop = FALSE]
  at <- at[!is.na(at)]
  apart <- if (seconds) seconds_apart(rows[clocked], before[at, clocked, drop = FALSE]) else NA
  worst <- list(size = 0, said = "")
  allowed <- if (is.null(tolerance)) 2e-3 else tolerance
  off <- logical(nrow(rows))
  for (column in columns) {
    now <- as.character(rows[[column]])
    then <- as.character(before[[column]][at])
    number <- suppressWarnings(cbind(as.numeric(now), as.numeric(then)))
    away <- abs(number[, 1L] - number[, 2L]) / pmax(abs(number[, 1L]), abs(number[, 2L]), 1e-300)
    away[number[, 1L] == number[, 2L] | rowSums(abs(number) <= floor) == 2] <- 0
    words <- is.na(away)
    now[is.na(now)] <- ""
    then[is.na(then)] <- ""
    # a number that the table leaves out is not compared
    left_out <- then[words] == "" & !is.na(number[words, 1L])
    away[words] <- ifelse(left_out | now[words] == then[words], 0, Inf)
    # without a tolerance of its own a table has the same counts
    if (is.null(tolerance)) away[!words & away > 0 & rowSums(number == round(number)) == 2] <- Inf
    off <- off | away > allowed
    k <- which.max(away)
    if (away[k] > worst$size) {
      worst <- list(size = away[k], said = sprintf(
        "%s: %s there, %s now%s", column, then[k], now[k],
        if (is.null(keys)) "" else sprintf(" (%s)", spot_key(rows[k, , drop = FALSE], keys))
      ))
    }
  }
  verdict <- if (worst$size > allowed) "differs" else if (isTRUE(apart > spot_factor)) "seconds" else "same"
  spot_line(verdict, file,
            sprintf("%d rows of %d columns, largest relative difference %.1g", nrow(rows),
                    length(columns), worst$size),
            if (!is.na(apart)) sprintf(", seconds within a factor of %.2f", apart),
            if (worst$size > allowed) sprintf("; in %d rows: %s", sum(off), worst$said))
}
