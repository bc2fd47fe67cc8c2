#!/bin/sh
# Statements on exact optima against refits at 1e-12 (tests/fuzz/decisions.R): PROBLEMS random
# problems each, from number SEED on; STATEMENT=A1,C4 for some; OUT=<file.csv> keeps a row for each
# problem. Exit status 1 if one is violated.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript tests/fuzz/decisions.R --problems="${PROBLEMS:-2000}" --first="${SEED:-1}" \
  --statement="${STATEMENT:-}" --out="${OUT:-}"
