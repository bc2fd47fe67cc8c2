#!/bin/sh
# The compiled code under sanitizers, in a temporary build in a temporary library.
# Assertions are on: of one thread a problem, one live row a block of a file.
#   sanitize.sh          the tests (FILTER=<regex> for some) and MINUTES (3) of the campaign of random
#                        fits, for addresses and undefined behaviour
#   sanitize.sh thread   fits of every family with several threads (FILTER=threads, a regex of other
#                        tests for more)
# A fault ends the file of tests, or the R process, that it is in, and fails the step.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
case ${1:-address} in
  thread) sanitizer=thread runtime=libtsan.so ;;
  *) sanitizer=address,undefined runtime=libasan.so ;;
esac

cat >"$TEMP/Makevars" <<MK
CXX17FLAGS = -g -O1 -UNDEBUG -fno-omit-frame-pointer -fsanitize=$sanitizer
LDFLAGS = -fsanitize=$sanitizer
MK
mkdir "$TEMP/library"
build_tarball --no-build-vignettes
build_probes
say "Building with the sanitizer ($sanitizer; a few minutes)..."
DUALMARGIN_DEBUG=yes R_MAKEVARS_USER=$TEMP/Makevars MAKEFLAGS=-j2 R CMD INSTALL --preclean --no-test-load \
  --no-byte-compile --library="$TEMP/library" "$TARBALL" >"$TEMP/install.log" 2>&1 || {
  cat "$TEMP/install.log" >&2
  die "R CMD INSTALL with the sanitizer failed."
}

# The sanitizer's own library has to be the first that the R process loads.
compiler=$(R CMD config CXX17 | cut -d ' ' -f 1)
library=$("$compiler" -print-file-name=$runtime)
[ -e "$library" ] || die "$compiler has no such sanitizer ($library)."
R_LIBS=$TEMP/library:$R_LIBS
export R_LIBS

if [ $sanitizer = thread ]; then
  # R itself and not the shell script of that name; and addresses have to lie where the sanitizer
  # expects them, which some kernels do not do of themselves.
  fixed=
  if setarch -R true 2>/dev/null; then fixed='setarch -R'; fi
  R_HOME=$(R RHOME)
  LD_LIBRARY_PATH=$R_HOME/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  # R's own handler of ended children changes errno, whatever it interrupts.
  echo signal:parallel.so >"$TEMP/suppressions"
  TSAN_OPTIONS=halt_on_error=1:exitcode=66:die_after_fork=0:suppressions=$TEMP/suppressions
  export R_HOME LD_LIBRARY_PATH TSAN_OPTIONS
  $fixed env LD_PRELOAD="$library" "$R_HOME/bin/exec/R" --no-init-file --no-save --no-echo \
    -f scripts/tsan.R
  exit
fi
# R keeps memory until it exits, which is no leak to look for.
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
env LD_PRELOAD="$library" Rscript --no-init-file scripts/test.R
# A worker that a sanitizer ends is a crash to the campaign, which names its case.
env LD_PRELOAD="$library" Rscript --no-init-file tests/fuzz/campaign.R --minutes="${MINUTES:-3}"
