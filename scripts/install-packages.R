# Installs packages and what they need from the user's configured repository, compiling at most two
# at a time. Recommended packages (Matrix, MASS, ...) that are installed are never replaced.
# Usage: Rscript scripts/install-packages.R <library> <package> ...

args <- commandArgs(trailingOnly = TRUE)
lib <- args[1L]
wanted <- args[-1L]

repos <- getOption("repos")
if (!length(repos) || any(repos %in% c("@CRAN@", ""))) {
  utils::chooseCRANmirror(graphics = FALSE, ind = 1, local.only = TRUE)
  message("No package repository is configured; using ", getOption("repos")[["CRAN"]])
}
# Package fs (testthat needs it) looks for a system library that is rarely there; it has a copy.
if (!nzchar(Sys.getenv("USE_BUNDLED_LIBUV"))) Sys.setenv(USE_BUNDLED_LIBUV = "1")
options(timeout = max(600, getOption("timeout")))

installed <- utils::installed.packages()
recommended <- rownames(installed)[installed[, "Priority"] %in% "recommended"]
available <- utils::available.packages()
if (!nrow(available)) {
  message("No package repository can be reached: ", toString(getOption("repos")))
  quit(status = 1L)
}

# A package that asks for a newer Matrix than the one here would compile for minutes and then fail.
all_needs <- function(name) {
  found <- character()
  repeat {
    # A dependency that is installed stays as it is: what its newest version asks for is no matter.
    new <- c(name, setdiff(found, rownames(installed)))
    rows <- available[rownames(available) %in% new, , drop = FALSE]
    entries <- unlist(strsplit(c(rows[, c("Depends", "Imports", "LinkingTo")]), ",\\s*"))
    names_of <- unique(gsub("\\s|\\(.*", "", entries))
    if (all(names_of %in% found)) return(trimws(entries[!is.na(entries)]))
    found <- union(found, names_of)
  }
}
too_old <- function(name) {
  entries <- grep(">=", all_needs(name), value = TRUE)
  needs <- gsub("\\s|\\(.*", "", entries)
  version <- gsub(".*>=|\\).*|\\s", "", entries)
  old <- vapply(seq_along(needs), function(i) {
    needs[i] %in% recommended && utils::packageVersion(needs[i]) < version[i]
  }, NA)
  unique(entries[old])
}
refused <- Filter(length, sapply(wanted, too_old, simplify = FALSE))
wanted <- setdiff(wanted, names(refused))
if (length(wanted)) {
  if (startsWith(basename(lib), ".Rlib")) {
    unlink(Sys.glob(file.path(lib, "00LOCK*")), recursive = TRUE)
  }
  utils::install.packages(
    wanted,
    lib = lib, available = available[!rownames(available) %in% recommended, , drop = FALSE],
    dependencies = NA, Ncpus = 2L
  )
}
for (name in names(refused)) {
  message(
    name, " needs ", toString(refused[[name]]), ", newer than what is installed, and this script ",
    "never replaces a recommended package. To do so yourself, type:\n  Rscript -e ",
    shQuote(sprintf("install.packages(\"%s\")", sub("\\s*\\(.*", "", refused[[name]][1L])))
  )
}
quit(status = as.integer(length(refused) > 0L))
