#!/bin/sh
# Audits of random fits of other packages against their true excess (tests/fuzz/audit.R): PROBLEMS
# of each package, from number SEED on; PEER=glmnet,e1071 for some. Exit status 1 if one is wrong.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript tests/fuzz/audit.R --problems="${PROBLEMS:-1000}" --first="${SEED:-1}" \
  --peer="${PEER:-}"
