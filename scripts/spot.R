# Runs the scripts behind the committed results with --spot: each computes a few cheap rows again
# and compares them with its tables. One line a table: same, seconds (numbers are the same, ratios of
# seconds further apart than 1.5), differs, none (no cheap row), absent (data or packages that it needs
# are not here). The exit status is 1 if any differs.
# Usage: Rscript scripts/spot.R [--write] [--limit=seconds] [regex of file names]
# --write: what was found into inst/extdata/stale.csv, which the pages print.
# --limit: a script that takes longer is ended; what it has told until then counts.

source(file.path("inst", "experiments", "_record.R"))
source(file.path("inst", "experiments", "_origins.R"))
heads <- script_heads()
writing <- "--write" %in% commandArgs(trailingOnly = TRUE)
limit <- grep("^--limit=", commandArgs(trailingOnly = TRUE), value = TRUE)
wanted <- setdiff(commandArgs(trailingOnly = TRUE), c("--write", limit))
limit <- if (length(limit)) as.numeric(sub("^--limit=", "", limit)) else 0
files <- tables_in(file.path("inst", "extdata", "results"))
if (length(wanted)) files <- grep(wanted[1L], files, value = TRUE)

# Into the table of what was found, where its line is of this result.
note <- function(told) {
  path <- file.path("inst", "extdata", "stale.csv")
  table <- read_stale(path)
  now <- sidecar_digest(sidecar_path(file.path("inst", "extdata", "results", table$file)))
  for (verdict in c("none", "same", "seconds", "differs")) {
    found <- sub("^[a-z]+ +([^ ]+\\.csv).*", "\\1", told[startsWith(told, verdict)])
    at <- table$file %in% found & table$sidecar == now
    table$spot[at] <- verdict
    table$spotted[at] <- paste(substr(run_started$date, 1L, 10L), run_started$commit)
  }
  utils::write.csv(table, path, row.names = FALSE, na = "", quote = FALSE)
}
if (writing && grepl("unknown|[+]$", run_started$commit)) {
  writing <- FALSE
  cat("Nothing is noted: that takes sources and scripts that are committed.\n")
}

# A part is called through its script, by the name after the script's.
calls <- unique(vapply(files, function(file) {
  script <- script_of(file, heads)$script[1L]
  if (!startsWith(basename(script), "_")) return(script)
  part <- sub("^_[a-z]+_(.*)\\.R$", "\\1", basename(script))
  main <- sub("^_([a-z]+)_.*", "\\1.R", basename(script))
  paste(file.path(dirname(script), main), file.path("inst", "extdata", "results"), part)
}, ""))
lines <- character()
for (call in calls) {
  words <- strsplit(call, " ")[[1L]]
  taken <- system.time({
    said <- suppressWarnings(system2(
      file.path(R.home("bin"), "Rscript"), c("--no-init-file", words, "--spot"), stdout = TRUE,
      stderr = "", timeout = limit
    ))
  })[["elapsed"]]
  told <- grep("^(same|seconds|differs|none|new) ", said, value = TRUE)
  names_of <- sub("^[a-z]+ +([^ ]+\\.csv).*", "\\1", told)
  told <- told[names_of %in% files]
  cat(told, sep = "\n")
  lines <- c(lines, told)
  if (writing && length(told)) note(told)
  cat(sprintf("         (%s, %.0f s)\n", basename(call), taken))
}
found <- sub("^[a-z]+ +([^ ]+\\.csv).*", "\\1", lines)
for (file in setdiff(files, found)) cat(sprintf("absent   %s\n", file))
differ <- unique(found[startsWith(lines, "differs")])
slower <- setdiff(found[startsWith(lines, "seconds")], differ)
cat(sprintf("%d tables: %d same, %d differ, %d in seconds, %d without a cheap row, %d not possible here.\n",
            length(files), length(setdiff(found[startsWith(lines, "same")], c(differ, slower))),
            length(differ), length(slower), length(unique(found[startsWith(lines, "none")])),
            length(setdiff(files, found))))
quit(status = as.integer(length(differ) > 0L))
