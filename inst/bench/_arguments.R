# What the scripts here are called with: a folder for the results, and options as in --rounds=3.
# source() it from their folder; _record.R, which keeps results, comes with it.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1L])),
                 "..", "experiments", "_record.R"))
arguments <- commandArgs(trailingOnly = TRUE)
# spot: what it is with --spot, where a row or two are computed again and compared.
option <- function(name, default, spot = default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[1L]) else if (spotting) spot else default
}
folder <- grep("^--", arguments, value = TRUE, invert = TRUE)[1L]
if (is.na(folder)) folder <- file.path("inst", "extdata", "results")
