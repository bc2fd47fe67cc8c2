# Runs files of tests for scripts/test.R, until none is left, and leaves what came of each in
# <work>/done. Several of these share the list: who makes the folder of a file's name has the file.
# Usage: Rscript scripts/test-worker.R <folder of the tests> <work> <process that waits for it>

args <- commandArgs(trailingOnly = TRUE)
folder <- args[1L]
work <- args[2L]
waiting <- as.integer(args[3L])

# The locale is set by now; newer versions of withr warn at each test where LC_ALL says so too.
Sys.setenv(LANG = "C.UTF-8")
Sys.unsetenv("LC_ALL")

# What a failure, an error, a warning or a skip has to say, with file and line.
spell_out <- function(result, test, stem) {
  kind <- sub("^expectation_", "", class(result)[1L])
  line <- if (is.null(result$srcref)) "" else sprintf(":%d", as.integer(result$srcref)[1L])
  text <- tryCatch(format(result), error = function(e) conditionMessage(result))
  text <- unlist(strsplit(paste(text, collapse = "\n"), "\n", fixed = TRUE))
  c(sprintf("  %s (test-%s.R%s): %s", kind, stem, line, test), paste0("    ", text))
}

# A folder for what every fit claims, see tests/intervals.R.
intervals <- Sys.getenv("DUALMARGIN_INTERVALS")
if (nzchar(intervals)) source(file.path("tests", "intervals-recorder.R"))

# Of this process and of those that it has waited for.
cpu_seconds <- function() sum(proc.time()[-3L])

run_file <- function(stem) {
  began <- proc.time()[["elapsed"]]
  worked <- cpu_seconds()
  if (nzchar(intervals)) begin_intervals(stem)
  results <- testthat::test_dir(
    folder, filter = sprintf("^%s$", gsub(".", "\\.", stem, fixed = TRUE)), package = "dualmargin",
    load_package = "installed", reporter = "silent", stop_on_failure = FALSE
  )
  if (nzchar(intervals)) write_intervals(intervals)
  blocks <- as.data.frame(results)
  blocks$test[is.na(blocks$test)] <- "outside of a test"
  # The data frame leaves out the error that ended a block.
  blocks$result <- lapply(results, function(block) block$results)
  reasons <- vapply(blocks$result, function(block) {
    skips <- Filter(function(result) inherits(result, "expectation_skip"), block)
    if (length(skips)) sub("^Reason: ", "", conditionMessage(skips[[1L]])) else ""
  }, "")
  text <- unlist(lapply(seq_along(blocks$result), function(k) {
    spoken <- Filter(function(result) {
      inherits(result, c("expectation_failure", "expectation_error", "expectation_warning"))
    }, blocks$result[[k]])
    lapply(spoken, spell_out, blocks$test[k], stem)
  }))
  list(
    blocks = data.frame(stem = rep(stem, nrow(blocks)), test = blocks$test, reason = reasons,
                        failed = blocks$failed > 0 | blocks$error, skipped = blocks$skipped),
    expectations = sum(blocks$nb), text = text, seconds = proc.time()[["elapsed"]] - began,
    cpu = cpu_seconds() - worked
  )
}

for (stem in readLines(file.path(work, "files"))) {
  # Whoever asked may have been stopped.
  if (!tools::pskill(waiting, 0L) || !dir.exists(work)) break
  if (!dir.create(file.path(work, "taken", stem), showWarnings = FALSE)) next
  result <- run_file(stem)
  saveRDS(result, file.path(work, stem))
  file.rename(file.path(work, stem), file.path(work, "done", stem))
}
