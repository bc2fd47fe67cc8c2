#!/bin/sh
# Records what every fit of the tests (FILTER=<regex> for some) and of SEEDS numbers of the campaign
# claims in the file OUT; tests/intervals.R says how two such files are compared.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript tests/intervals.R record "${OUT:-intervals.rds}" --seeds="${SEEDS:-}" --first="${FIRST:-}" \
  --jobs="${JOBS:-}" --tests="${TESTS:-}"
