# The compiler that builds the package, on sources of the tests that include headers of src/:
# compiler_of(src)("-fsyntax-only", file) is what it says.

compiler_of <- function(src) {
  config <- function(what) {
    found <- system2(file.path(R.home("bin"), "R"), c("CMD", "config", what), stdout = TRUE)
    strsplit(trimws(found), " +")[[1L]]
  }
  compiler <- c(config("CXX17"), config("CXX17STD"))
  folders <- c(src, R.home("include"), system.file("include", package = "Rcpp"),
               system.file("include", package = "RcppEigen"),
               system.file("include", package = "cli"))
  flags <- c("-w", "-DDUALMARGIN_PROBES", shQuote(paste0("-I", folders)))
  function(...) {
    suppressWarnings(system2(compiler[1L], c(compiler[-1L], flags, ...), stdout = TRUE,
                             stderr = TRUE))
  }
}
