# What the campaigns share: options of the command line, and the helpers of the tests.

arguments <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  given <- sub(paste0("^--", name, "="), "", given)
  if (length(given) == 0L || !nzchar(given[1L])) default else given[1L]
}

# The helpers run where the tests do, below the namespace of the package.
load_judges <- function() {
  suppressPackageStartupMessages(library(dualmargin))
  judges <- new.env(parent = asNamespace("dualmargin"))
  for (file in list.files(file.path("tests", "testthat"), "^helper-.*[.]R$", full.names = TRUE)) {
    sys.source(file, judges)
  }
  attach(judges, warn.conflicts = FALSE)
}
