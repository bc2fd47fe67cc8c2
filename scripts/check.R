# Judges a finished R CMD check. Usage: Rscript scripts/check.R <dualmargin.Rcheck> <status> <bytes>

args <- commandArgs(trailingOnly = TRUE)
log <- file.path(args[1L], "00check.log")
problems <- character()

if (!file.exists(log)) {
  problems <- "R CMD check wrote no log"
} else {
  lines <- readLines(log, warn = FALSE)
  details <- tools::check_packages_in_dir_details(logs = log)
  details <- details[details$Status %in% c("ERROR", "WARNING", "NOTE"), , drop = FALSE]

  # The size of the installed library depends on the compiler's debugging symbols, and which of the
  # suggested packages are installed on the machine: neither says anything of the package.
  size <- details$Check == "installed package size"
  absent <- details$Check == "package dependencies" &
    grepl("^Packages? suggested but not available for checking:[^:]*$", details$Output)
  details <- details[!(details$Status == "NOTE" & (size | absent)), , drop = FALSE]
  if (nrow(details)) problems <- sprintf("%s: %s", details$Status, details$Check)

  if (!any(grepl("^Status: ", lines))) problems <- c(problems, "R CMD check did not finish")
  if (args[2L] != "0" && !length(problems)) problems <- paste("R CMD check: status", args[2L])
  if (any(grepl("install", problems, fixed = TRUE))) {
    writeLines(readLines(file.path(args[1L], "00install.out"), warn = FALSE))
  }
}
if (as.numeric(args[3L]) >= 5e6) problems <- c(problems, "the tarball is 5 MB or larger")

cat(sprintf("\n%s", problems), sep = "")
cat(if (length(problems)) "\ncheck: FAILED\n" else "\ncheck: OK\n")
quit(status = as.integer(length(problems) > 0L))
