# Runs tests/testthat against the installed package and ends with "N passed, N failed, N skipped",
# a test_that() block counting as one. Exit status 1 if any failed.
#
# TESTS=<folder>                    another than tests/testthat
# FILTER=<regex>                    only the files whose name matches
# JOBS=<n>                          so many R processes, which share the files (2, or 1 on one core)
# CI=true                           a skip whose reason is not in tests/allowed-skips.txt fails
# DUALMARGIN_RECORD_MESSAGES=true   write tests/testthat/_messages instead of comparing with it

source <- Sys.getenv("TESTS", file.path("tests", "testthat"))
record <- identical(Sys.getenv("DUALMARGIN_RECORD_MESSAGES"), "true")
strict <- !tolower(Sys.getenv("CI")) %in% c("", "false", "0")
# The tree is for tests of what is written in it.
Sys.setenv(NOT_CRAN = "true", DUALMARGIN_TREE = getwd())
# `&&` of several values is an error from R 4.3 on; R CMD check ends an earlier R there, and so do we.
Sys.setenv(`_R_CHECK_LENGTH_1_LOGIC2_` = "abort,verbose")

# On a copy, so that a test leaves nothing behind in the tree.
folder <- source
if (!record) {
  dir.create(copy <- tempfile("tests"))
  file.copy(source, copy, recursive = TRUE)
  folder <- file.path(copy, basename(source))
}

# The slow files first, so that no process waits long for the last one of another.
files <- sub("^test-(.*)\\.[rR]$", "\\1", list.files(folder, "^test-.*\\.[rR]$"))
slow <- sub("^test-(.*)\\.R.*", "\\1", readLines(file.path("tests", "slow-first.txt")))
files <- grep(Sys.getenv("FILTER"), c(intersect(slow, files), setdiff(files, slow)), value = TRUE)

work <- tempfile("work")
for (part in c("", "taken", "done", "ended")) dir.create(file.path(work, part))
writeLines(files, file.path(work, "files"))
jobs <- suppressWarnings(as.integer(Sys.getenv("JOBS", "")))
if (is.na(jobs)) jobs <- min(2L, parallel::detectCores(), na.rm = TRUE)
jobs <- max(1L, min(jobs, length(files)))

started <- 0L
start_worker <- function() {
  started <<- started + 1L
  call <- c(file.path(R.home("bin"), "Rscript"), "--no-init-file", "scripts/test-worker.R", folder,
            work, Sys.getpid())
  log <- shQuote(file.path(work, paste0("log", started)))
  ended <- shQuote(file.path(work, "ended", started))
  system(sprintf("{ %s >%s 2>&1 </dev/null; echo $? >%s; } &",
                 paste(shQuote(call), collapse = " "), log, ended))
}

# What came of one file: a line, and below it all there is to read.
results <- list()
report <- function(stem, result) {
  failed <- sum(result$blocks$failed)
  results[[stem]] <<- result
  cat(sprintf("%-6s %6.1f s %6.1f s %6d  %s%s\n", if (failed) "FAILED" else "ok",
              result$seconds, result$cpu, result$expectations, stem,
              if (failed) sprintf(" (%d failed)", failed) else ""))
  if (length(result$text)) writeLines(result$text)
}

for (job in seq_len(jobs)) start_worker()
cat("         time      CPU checks  file\n")
repeat {
  all_ended <- length(list.files(file.path(work, "ended"))) == started
  done <- setdiff(list.files(file.path(work, "done")), names(results))
  for (stem in done) report(stem, readRDS(file.path(work, "done", stem)))
  if (all_ended) {
    # A file that was taken and is not done ended its R; another goes on with those left.
    taken <- list.files(file.path(work, "taken"))
    dead <- setdiff(if (length(taken)) taken else files, names(results))
    said <- unlist(lapply(list.files(work, "^log", full.names = TRUE), readLines, warn = FALSE))
    for (stem in dead) {
      report(stem, list(
        blocks = data.frame(stem = stem, test = "the whole file", reason = "", failed = TRUE,
                            skipped = FALSE),
        expectations = 0L, seconds = 0, cpu = 0,
        text = c("  R ended in the middle of it. What it said last:",
                 paste0("    ", utils::tail(said, 40L)))
      ))
    }
    if (all(files %in% names(results))) break
    start_worker()
  }
  Sys.sleep(0.2)
}

seconds <- sort(vapply(results, function(result) result$seconds, 0), decreasing = TRUE)
slowest <- utils::head(seconds, 8L)
cpu <- sum(vapply(results, function(result) result$cpu, 0))
cat(sprintf("\n%.0f s in %d processes, %.0f s of CPU, most of it in %s\n", sum(seconds), jobs, cpu,
            toString(sprintf("%s (%.0f s)", names(slowest), slowest))))

blocks <- do.call(rbind, lapply(results, function(result) result$blocks))
skipped <- blocks$skipped & !blocks$failed
counts <- c(passed = sum(!blocks$failed & !skipped), failed = sum(blocks$failed),
            skipped = sum(skipped))

if (strict && any(skipped)) {
  reasons <- blocks$reason[skipped]
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
