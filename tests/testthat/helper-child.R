# A child R that is ended in the midst of a fit. It tells each step of a fit's progress bar on a
# line, so that whoever waits knows where it is, however long that takes.

skip_without_child <- function() {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("processx")
}

# Runs these lines; said() is what it has printed until now.
start_child <- function(lines) {
  script <- tempfile(fileext = ".R")
  out <- tempfile()
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")), "library(dualmargin)",
    "options(cli.progress_handlers_only = 'logger', cli.progress_show_after = 0,",
    "        cli.dynamic = TRUE)", lines
  ), script)
  # What a shell's `&` starts ignores the signal, its children too, and R leaves it at that.
  heed <- c("env", "--default-signal=INT")
  can <- tryCatch(processx::run("env", c(heed[-1L], "true"))$status == 0, error = function(e) FALSE)
  command <- c(if (can) heed, file.path(R.home("bin"), "Rscript"), script)
  process <- processx::process$new(command[1L], command[-1L], stdout = out, stderr = "2>&1")
  list(process = process, said = function() readLines(out, warn = FALSE))
}

# Waits until the child has said what matches `pattern` after the line `mark`; else the test fails
# with what it has said.
expect_says <- function(child, pattern, mark) {
  later <- function() {
    said <- child$said()
    said[seq_along(said) > match(mark, said, length(said))]
  }
  there <- function() any(grepl(pattern, later()))
  expect_true(wait_until(there, child$process$is_alive),
              info = paste(child$said(), collapse = "\n"))
  grep(pattern, later(), value = TRUE)[1L]
}

# f(object) in an R of its own, which reads the object from a file before it has the package.
in_another_process <- function(object, f) {
  file <- tempfile(fileext = c(".rds", ".rds", ".R"))
  on.exit(unlink(file))
  environment(f) <- globalenv()
  attr(f, "srcref") <- NULL
  saveRDS(list(object = object, f = f), file[1L])
  writeLines(c(sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
               sprintf("given <- readRDS(%s)", deparse(file[1L])), "library(dualmargin)",
               sprintf("saveRDS(given$f(given$object), %s)", deparse(file[2L]))), file[3L])
  status <- system2(file.path(R.home("bin"), "Rscript"), shQuote(file[3L]))
  if (status != 0L) stop("the other process ended with status ", status)
  readRDS(file[2L])
}
