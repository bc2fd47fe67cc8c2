# The tests as R CMD check runs them. `make test` runs the same files with a count at the end.
if (requireNamespace("testthat", quietly = TRUE)) {
  library(testthat)
  library(dualmargin)
  test_check("dualmargin")
}
