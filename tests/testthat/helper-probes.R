# What of the compiled code only the tests call, by its name in src/probes: probe("exp", x, FALSE).
# A build of users has none of it: there, as in R CMD check, a test that asks for a probe is skipped.

has_probes <- tryCatch({
  dualmargin:::probe_cpp("exp", list(0, FALSE))
  TRUE
}, error = function(e) FALSE)

probe <- function(name, ...) {
  skip_without_probes()
  dualmargin:::probe_cpp(name, list(...))
}

skip_without_probes <- function() {
  if (has_probes) {
    return(invisible())
  }
  # scripts/test.R tells where the tree is: there they are never skipped.
  if (nzchar(Sys.getenv("DUALMARGIN_TREE"))) {
    stop("this build has no probes; build with DUALMARGIN_CPPFLAGS=-DDUALMARGIN_PROBES in the ",
         "environment, as scripts/install.sh does")
  }
  skip("this build has no probes (DUALMARGIN_PROBES)")
}
