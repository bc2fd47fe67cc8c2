#!/bin/sh
# The campaign of random fits (tests/fuzz/campaign.R) for MINUTES minutes or FITS fits, from case
# SEED on, in JOBS processes; FAMILY=<name> for one family. Violations, with the numbers of their
# cases, go to the folder OUT; exit status 1 if there are any.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript tests/fuzz/campaign.R --minutes="${MINUTES:-10}" --fits="${FITS:-}" --first="${SEED:-1}" \
  --jobs="${JOBS:-2}" --family="${FAMILY:-}" --out="${OUT:-}"
