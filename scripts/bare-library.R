# Fills a folder with links to what a machine without any suggested package has: dualmargin, what it
# imports or links to, testthat, and what these stand on. Of R's recommended packages those that are
# not among them are hidden: a folder without content stands in front, as R CMD check does it under
# _R_CHECK_NO_RECOMMENDED_. With R_LIBS=<folder>, R_LIBS_USER=NULL and R_LIBS_SITE=NULL an R sees no more.
# Usage: Rscript scripts/bare-library.R <folder> [packages that it has besides, where they are installed]

given <- commandArgs(trailingOnly = TRUE)
folder <- given[1L]
besides <- Filter(function(name) requireNamespace(name, quietly = TRUE), given[-1L])
dir.create(folder, showWarnings = FALSE)

wanted <- function(name) {
  fields <- c("Depends", "Imports", "LinkingTo")
  entries <- unlist(utils::packageDescription(name, fields = fields))
  entries <- trimws(sub("\\(.*", "", unlist(strsplit(as.character(entries[!is.na(entries)]), ","))))
  setdiff(entries[nzchar(entries)], "R")
}
needed <- more <- c("dualmargin", "testthat", besides)
while (length(more)) {
  more <- setdiff(unlist(lapply(more, wanted)), needed)
  needed <- c(needed, more)
}

installed <- utils::installed.packages(lib.loc = .Library)[, "Priority"]
base <- names(installed)[installed %in% "base"]
for (name in setdiff(needed, base)) file.symlink(find.package(name), file.path(folder, name))
for (name in setdiff(names(installed), c(base, needed))) {
  dir.create(hidden <- file.path(folder, name))
  file.copy(file.path(.Library, name, "DESCRIPTION"), hidden)
}
