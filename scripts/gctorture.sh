#!/bin/sh
# A fit of each family, the paths and a prediction, while R collects its garbage at every STEP-th
# allocation: an object that C++ forgot to protect is gone by then. STEP=<n>, 20 by default.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript tests/fuzz/solvers.R --torture="${STEP:-20}"
