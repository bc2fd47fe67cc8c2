#!/bin/sh
# Runs the tests (FILTER=<regex> for some) and MINUTES (3) of the campaign of random fits with the
# compiled code under the address and undefined-behaviour sanitizers: a temporary build in a temporary
# library. A fault ends the file of tests, or the fit, that it is in, and fails the step.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test

cat >"$TEMP/Makevars" <<'MK'
CXX17FLAGS = -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined
LDFLAGS = -fsanitize=address,undefined
MK
mkdir "$TEMP/library"
build_tarball --no-build-vignettes
build_probes
say "Building with the sanitizers (a few minutes)..."
R_MAKEVARS_USER=$TEMP/Makevars MAKEFLAGS=-j2 R CMD INSTALL --preclean --no-test-load \
  --no-byte-compile --library="$TEMP/library" "$TARBALL" >"$TEMP/install.log" 2>&1 || {
  cat "$TEMP/install.log" >&2
  die "R CMD INSTALL with the sanitizers failed."
}

# The sanitizers' own library has to be the first that the R process loads.
compiler=$(R CMD config CXX17 | cut -d ' ' -f 1)
library=$("$compiler" -print-file-name=libasan.so)
[ -e "$library" ] || die "$compiler has no address sanitizer ($library)."

# R keeps memory until it exits, which is no leak to look for.
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
R_LIBS=$TEMP/library:$R_LIBS
export R_LIBS
env LD_PRELOAD="$library" Rscript --no-init-file scripts/test.R
# A worker that a sanitizer ends is a crash to the campaign, which names its case.
env LD_PRELOAD="$library" Rscript --no-init-file tests/fuzz/campaign.R --minutes="${MINUTES:-3}"
