#!/bin/sh
# Sets up, installs, computes a few rows of every result again; FILES=<regex> for some, LIMIT=<seconds>
# ends scripts that take longer. Status 1 if any differs from what is committed; what was found goes
# into inst/extdata/stale.csv.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh bench
sh scripts/install.sh
rscript scripts/spot.R --write ${LIMIT:+"--limit=$LIMIT"} ${FILES:+"$FILES"}
