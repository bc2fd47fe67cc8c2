# Every header of src/ compiles by itself, whatever was included before it: it includes what it
# uses, so that the graph that test-layers.R reads is whole.
#
# A header is parsed, not instantiated: a failing assertion after it ends the compiler there. A unit
# shows it of the header that it names, and of those at whose text nothing had been read but what
# they include themselves. Eigen/Core is compiled once, for headers that include it.

test_that("every header of src compiles alone", {
  root <- Sys.getenv("DUALMARGIN_TREE")
  src <- file.path(root, "src")
  files <- list.files(src, "[.]h$", recursive = TRUE)
  text <- stats::setNames(lapply(file.path(src, files), readLines, warn = FALSE), files)
  direct <- lapply(text, function(lines) {
    sub("^#include \"([^\"]+)\".*", "\\1", grep("^#include \"", lines, value = TRUE))
  })

  # The headers in the order in which a unit reads their texts.
  orders <- new.env()
  order_of <- function(file) {
    if (is.null(orders[[file]])) {
      orders[[file]] <- unique(c(unlist(lapply(direct[[file]], order_of)), file))
    }
    orders[[file]]
  }
  for (file in files) order_of(file)
  alone <- function(unit) {
    read <- orders[[unit]]
    Filter(function(file) {
      all(read[seq_len(match(file, read))] %in% orders[[file]])
    }, read)
  }
  units <- character()
  shown <- character()
  for (file in files[order(-vapply(files, function(file) length(orders[[file]]), 0L))]) {
    if (!file %in% shown) {
      units <- c(units, file)
      shown <- union(shown, alone(file))
    }
  }
  expect_setequal(shown, files)

  compile <- compiler_of(src)
  work <- tempfile("headers")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  known <- file.path(work, "known.h")
  writeLines("#include <Eigen/Core>", known)
  expect_identical(compile("-x", "c++-header", known, "-o", paste0(known, ".gch")), character())
  has_eigen <- function(unit) any(grepl("^#include <Eigen/", unlist(text[orders[[unit]]])))
  said_of <- function(unit) {
    file <- tempfile("unit", work, ".cpp")
    writeLines(c(sprintf("#include \"%s\"", unit), "static_assert(false, \"read to the end\");"),
               file)
    said <- grep("error:", compile("-fsyntax-only", "-Wfatal-errors",
                                  if (has_eigen(unit)) c("-include", known), file), value = TRUE)
    if (length(said) == 1L && grepl("read to the end", said)) "" else
      sprintf("%s: %s", unit, toString(said))
  }
  said <- unlist(parallel::mclapply(units, said_of, mc.cores = 2L, mc.preschedule = FALSE))
  expect_identical(said[nzchar(said)], character())
})
