#!/bin/sh
# One fit of every solver of every family under valgrind: no invalid read or write, no number that
# was never set. Some minutes; valgrind has to be there.
. "$(dirname "$0")/common.sh"
have valgrind || die "valgrind was not found; as root on Debian: apt-get install -y valgrind"
sh scripts/setup.sh test
sh scripts/install.sh
R --no-init-file --no-save --quiet --no-echo \
  -d "valgrind --error-exitcode=9 --leak-check=no --num-callers=30" -f tests/fuzz/solvers.R
