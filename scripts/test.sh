#!/bin/sh
# Sets up, installs, runs the tests; the last line counts them. FILTER=<regex> picks files by name.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript scripts/test.R
