# Runs tests/testthat against the installed package and ends with "N passed, N failed, N skipped",
# a test_that() block counting as one. Exit status 1 if any failed.
#
# FILTER=<regex>              only the files whose name matches
# CI=true                     a skip whose reason is not in tests/allowed-skips.txt is a failure
# DUALMARGIN_RECORD_MESSAGES=true   write tests/testthat/_messages instead of comparing with it

source <- file.path("tests", "testthat")
record <- identical(Sys.getenv("DUALMARGIN_RECORD_MESSAGES"), "true")
strict <- !tolower(Sys.getenv("CI")) %in% c("", "false", "0")
filter <- Sys.getenv("FILTER")
Sys.setenv(NOT_CRAN = "true")

# On a copy, so that a test leaves nothing behind in the tree.
folder <- source
if (!record) {
  dir.create(copy <- tempfile("tests"))
  file.copy(source, copy, recursive = TRUE)
  folder <- file.path(copy, "testthat")
}

blocks <- as.data.frame(testthat::test_dir(
  folder,
  filter = if (nzchar(filter)) filter, package = "dualmargin", load_package = "installed",
  reporter = testthat::ProgressReporter$new(
    show_praise = FALSE, max_failures = Inf, update_interval = Inf
  ),
  stop_on_failure = FALSE
))
failed <- blocks$failed > 0 | blocks$error
skipped <- blocks$skipped & !failed
counts <- c(passed = sum(!failed & !skipped), failed = sum(failed), skipped = sum(skipped))

if (strict && any(skipped)) {
  reasons <- vapply(blocks$result[skipped], function(results) {
    skips <- Filter(function(result) inherits(result, "expectation_skip"), results)
    sub("^Reason: ", "", conditionMessage(skips[[1L]]))
  }, "")
  allowed <- trimws(readLines(file.path("tests", "allowed-skips.txt")))
  allowed <- allowed[nzchar(allowed) & !startsWith(allowed, "#")]
  # Literal but for *, so that braces and brackets in a reason need no escape.
  patterns <- gsub("\\*", ".*", gsub("([][{}()+?.^$|\\\\])", "\\\\\\1", allowed), fixed = FALSE)
  known <- vapply(reasons, function(reason) {
    any(vapply(patterns, function(pattern) grepl(paste0("^", pattern, "$"), reason), NA))
  }, NA)
  if (!all(known)) {
    cat("\nSkipped for a reason that tests/allowed-skips.txt does not list:\n")
    cat(sprintf("  %s: %s\n", blocks$test[skipped][!known], reasons[!known]), sep = "")
    counts <- counts + c(0L, sum(!known), -sum(!known))
  }
}

if (record) {
  cat("\nThe messages are recorded; look at the difference, then run `make test`.\n")
}

cat(sprintf("\n%d passed, %d failed, %d skipped\n", counts[1L], counts[2L], counts[3L]))
quit(status = as.integer(counts[["failed"]] > 0 || counts[["passed"]] == 0))
