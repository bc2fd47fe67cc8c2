# The tests of FILTER, in this process.
Sys.unsetenv("LD_PRELOAD")  # a shell cannot be run with it
Sys.setenv(NOT_CRAN = "true", DUALMARGIN_TREE = getwd())
pattern <- Sys.getenv("FILTER", "threads")
testthat::test_dir("tests/testthat", pattern, package = "dualmargin", load_package = "installed",
                   reporter = "summary", stop_on_failure = TRUE)
