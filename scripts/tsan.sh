#!/bin/sh
# Runs fits with several threads, of every family (FILTER=threads, a regex of other tests for more),
# with the compiled code under the thread sanitizer: a temporary build in a temporary library. A race
# ends the R process it is in, and fails the step.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test

cat >"$TEMP/Makevars" <<'MK'
CXX17FLAGS = -g -O1 -fno-omit-frame-pointer -fsanitize=thread
LDFLAGS = -fsanitize=thread
MK
mkdir "$TEMP/library"
build_tarball --no-build-vignettes
say "Building with the thread sanitizer (a few minutes)..."
R_MAKEVARS_USER=$TEMP/Makevars MAKEFLAGS=-j2 R CMD INSTALL --preclean --no-test-load \
  --no-byte-compile --library="$TEMP/library" "$TARBALL" >"$TEMP/install.log" 2>&1 || {
  cat "$TEMP/install.log" >&2
  die "R CMD INSTALL with the thread sanitizer failed."
}

# The sanitizer's own library has to be the first that the process loads, R itself and not the shell
# script of that name; and it needs addresses to lie where it expects them, which some kernels do not
# do of themselves.
compiler=$(R CMD config CXX17 | cut -d ' ' -f 1)
library=$("$compiler" -print-file-name=libtsan.so)
[ -e "$library" ] || die "$compiler has no thread sanitizer ($library)."
fixed=
if setarch -R true 2>/dev/null; then fixed='setarch -R'; fi
R_HOME=$(R RHOME)
LD_LIBRARY_PATH=$R_HOME/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
R_LIBS=$TEMP/library:$R_LIBS
export R_HOME LD_LIBRARY_PATH R_LIBS TSAN_OPTIONS=halt_on_error=1:exitcode=66:die_after_fork=0
$fixed env LD_PRELOAD="$library" "$R_HOME/bin/exec/R" --no-init-file --no-save --no-echo \
  -f scripts/tsan.R
