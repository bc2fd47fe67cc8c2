#!/bin/sh
# Sets up, installs, runs the demonstration; its pictures go to demo-output/.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh demo
sh scripts/install.sh
rscript inst/scripts/demo.R demo-output
