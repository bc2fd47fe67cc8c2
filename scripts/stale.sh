#!/bin/sh
# Lists the results whose sources have changed since; FILES=<regex> for some. A warning, status 0.
. "$(dirname "$0")/common.sh"
rscript scripts/stale.R ${FILES:+"$FILES"}
