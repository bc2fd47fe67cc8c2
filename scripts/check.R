# Judges a finished R CMD check. Usage: Rscript scripts/check.R <dualmargin.Rcheck> <status> <bytes>

args <- commandArgs(trailingOnly = TRUE)
log <- file.path(args[1L], "00check.log")

judge <- function() {
  if (!file.exists(log)) return("R CMD check wrote no log")
  lines <- readLines(log, warn = FALSE)
  summary <- grep("^Status: ", lines, value = TRUE)
  if (!length(summary)) return("R CMD check did not finish")

  details <- tools::check_packages_in_dir_details(logs = log)
  details <- details[details$Status %in% c("ERROR", "WARNING", "NOTE"), , drop = FALSE]

  # What says nothing of the package: the size of the installed library, which depends on the
  # compiler's debugging symbols; which suggested packages the machine has; and whether it has qpdf.
  size <- details$Check == "installed package size"
  absent <- details$Check == "package dependencies" &
    grepl("^Packages? suggested but not available for checking:[^:]*$", details$Output)
  passed_over <- details$Status == "NOTE" & (size | absent)
  allowed <- c(
    NOTE = sum(passed_over),
    WARNING = sum(grepl("qpdf.* is needed for checks on size reduction", lines)),
    ERROR = 0L
  )

  # By the summary too, since R's reader of logs misses a check whose result has a line of its own.
  problems <- details[!passed_over, , drop = FALSE]
  problems <- sprintf("%s: %s", problems$Status, problems$Check)
  for (kind in names(allowed)) {
    count <- sub(sprintf("^.*?([0-9]+) %s.*$|^.*$", kind), "\\1", summary[1L], perl = TRUE)
    count <- if (nzchar(count)) as.integer(count) else 0L
    if (count > allowed[[kind]] && !any(startsWith(problems, kind))) {
      problems <- c(problems, sprintf("%d %s in the log above", count - allowed[[kind]], kind))
    }
  }
  if (args[2L] != "0" && !length(problems)) problems <- paste("R CMD check: status", args[2L])
  problems
}

problems <- judge()
if (any(grepl("installed|did not finish", problems))) {
  writeLines(tryCatch(readLines(file.path(args[1L], "00install.out"), warn = FALSE),
                      error = function(e) character(), warning = function(w) character()))
}
if (as.numeric(args[3L]) >= 5e6) problems <- c(problems, "the tarball is 5 MB or larger")

cat("\n")
# A failed check is often read by its last lines alone: what the tests said comes there.
if (any(endsWith(problems, ": tests"))) {
  for (failed in list.files(args[1L], "[.]Rout[.]fail$", recursive = TRUE, full.names = TRUE)) {
    said <- readLines(failed, warn = FALSE)
    from <- c(grep("Failed tests", said), max(1L, length(said) - 80L))[1L]
    writeLines(said[from:length(said)])
  }
}
if (length(problems)) writeLines(problems)
cat(if (length(problems)) "check: FAILED\n" else "check: OK\n")
quit(status = as.integer(length(problems) > 0L))
