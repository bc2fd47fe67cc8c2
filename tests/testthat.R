# The tests as R CMD check runs them. `make test` runs the same files with a count at the end.
if (requireNamespace("testthat", quietly = TRUE)) {
  library(testthat)
  library(dualmargin)
  # A check without NOT_CRAN=true, as on CRAN, has minutes for all it does: what takes longest and asks
  # nothing of the machine is left to `make test`.
  long <- c("calibrate", "compare", "compare_solvers", "cv_run", "decisions", "flips",
            "law-certificate", "law-loss", "law-robust", "law-solvers", "law-table", "margin_kernel",
            "margin_robust", "path", "registry", "report", "sensitivity",
            "solver-augmented_exact", "solver-lasso", "solver-robust_incremental",
            "solver-robust_interior_point", "spec_peers", "worst_case")
  if (identical(Sys.getenv("NOT_CRAN"), "true")) {
    test_check("dualmargin")
  } else {
    test_check("dualmargin", filter = sprintf("^(%s)$", paste(long, collapse = "|")), invert = TRUE)
  }
}
