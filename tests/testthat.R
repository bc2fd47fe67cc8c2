# The tests as R CMD check runs them. `make test` runs all files with a count at the end.
if (requireNamespace("testthat", quietly = TRUE)) {
  library(testthat)
  library(dualmargin)
  source(file.path("testthat", "helper-cran.R"))
  stopifnot(file.exists(file.path("testthat", sprintf("test-%s.R", cran_files))))
  all <- identical(Sys.getenv("NOT_CRAN"), "true")
  test_check("dualmargin", filter = if (!all) sprintf("^(%s)$", paste(cran_files, collapse = "|")))
}
