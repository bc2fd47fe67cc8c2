#!/bin/sh
# Lists the results whose sources have changed since, and writes inst/extdata/stale.csv, by which their
# pages name them; FILES=<regex> lists some. Status 1 only if a page fails to name one.
. "$(dirname "$0")/common.sh"
if [ -n "${FILES:-}" ]; then rscript scripts/stale.R "$FILES"; else rscript scripts/stale.R --write; fi
