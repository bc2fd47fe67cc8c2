#!/bin/sh
# Prediction sets against their definition, every model refitted at 1e-12 (tests/fuzz/conformal.R):
# PROBLEMS random problems a method, from number SEED on; METHOD=cv+ for one; COVERAGE=1 measures
# coverage on simulated data besides. Exit status 1 if a set differs or coverage is too small.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript tests/fuzz/conformal.R --problems="${PROBLEMS:-2000}" --first="${SEED:-1}" \
  --method="${METHOD:-}" --coverage="${COVERAGE:-}"
