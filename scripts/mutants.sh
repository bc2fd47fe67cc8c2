#!/bin/sh
# Plants the faults of tests/mutants.dcf, one at a time, in a build of its own (.Rlib/mutants), and asks
# the laws whether they notice; FILTER=<regex> for those whose sentence matches.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
lean_build
build_probes
rscript scripts/mutants.R
