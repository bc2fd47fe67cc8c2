#!/bin/sh
# Writes man/, NAMESPACE and the Rcpp exports. Documentation differs between versions of roxygen2,
# so only the one that DESCRIPTION names may write it.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh doc
rscript scripts/doc.R
