# Part of _record.R: what record() does with --spot.

not_compared <- paste0("second|_ms$|cpu|ratio|^load|^date$|^machine$|^command$|version|^commit|",
                       "^packages$|^elapsed$|^own$|^pass$|^over$|^rounds$|^to_base$|^streams$|",
                       "^slope$|^per_|_per_(fit|loo|warm|set)$|_refits$")
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
spot_compare <- function(rows, path, keys, skip, tolerance, floor) {
  file <- basename(path)
  before <- read_table(file.path(record_root, "inst", "extdata", "results", file))
  if (is.null(before)) {
    return(spot_line("new", file, "no committed table"))
  }
  columns <- setdiff(intersect(names(rows), names(before)), c(keys, skip))
  columns <- columns[!grepl(not_compared, columns)]
  at <- if (is.null(keys)) seq_len(nrow(rows)) else match(spot_key(rows, keys),
                                                          spot_key(before, keys))
  if (all(is.na(at))) {
    return(spot_line("differs", file, "none of ", nrow(rows), " rows is in the committed table"))
  }
  rows <- rows[!is.na(at), , drop = FALSE]
  at <- at[!is.na(at)]
  worst <- list(size = 0, said = "")
  for (column in columns) {
    now <- as.character(rows[[column]])
    then <- as.character(before[[column]][at])
    number <- suppressWarnings(cbind(as.numeric(now), as.numeric(then)))
    away <- abs(number[, 1L] - number[, 2L]) / pmax(abs(number[, 1L]), abs(number[, 2L]), 1e-300)
    away[number[, 1L] == number[, 2L] | rowSums(abs(number) <= floor) == 2] <- 0
    words <- is.na(away)
    now[is.na(now)] <- ""
    then[is.na(then)] <- ""
    away[words] <- ifelse(now[words] == then[words], 0, Inf)
    k <- which.max(away)
    if (away[k] > worst$size) {
      worst <- list(size = away[k], said = sprintf(
        "%s: %s there, %s now%s", column, then[k], now[k],
        if (is.null(keys)) "" else sprintf(" (%s)", spot_key(rows[k, , drop = FALSE], keys))
      ))
    }
  }
  spot_line(if (worst$size > tolerance) "differs" else "same", file,
            sprintf("%d rows of %d columns, largest relative difference %.1g", nrow(rows),
                    length(columns), worst$size),
            if (worst$size > tolerance) paste0("; ", worst$said))
}
