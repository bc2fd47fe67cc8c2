#!/bin/sh
# Names the addresses in help, pages and README that do not answer; ends with 1 where there is one. Says
# "not possible here" where package urlchecker or the network is out of reach.
. "$(dirname "$0")/common.sh"
rscript -e 'answers <- function() tryCatch({
    suppressWarnings(readLines(url("https://doi.org"), n = 1L))
    TRUE
  }, error = function(condition) FALSE)
  lacks <- if (!requireNamespace("urlchecker", quietly = TRUE)) "package urlchecker" else
    if (!answers()) "the network"
  if (length(lacks)) {
    cat("make urls: not possible here (no ", lacks, ").\n", sep = "")
    quit()
  }
  found <- urlchecker::url_check(".", progress = FALSE)
  print(found)
  quit(status = as.integer(nrow(found) > 0L))'
