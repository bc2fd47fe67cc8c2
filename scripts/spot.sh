#!/bin/sh
# Sets up, installs, computes a few rows of every result again; FILES=<regex> for some. Status 1 if
# any differs from what is committed.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh bench
sh scripts/install.sh
rscript scripts/spot.R ${FILES:+"$FILES"}
