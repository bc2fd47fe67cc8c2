# What the scripts here are called with: a folder for the results, and options as in --rounds=3.
# source() it from their folder.

arguments <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[1L]) else default
}
folder <- grep("^--", arguments, value = TRUE, invert = TRUE)[1L]
if (is.na(folder)) folder <- file.path("inst", "extdata", "results")
