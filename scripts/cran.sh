#!/bin/sh
# CRAN's limits: seconds of one core, on the clock of scripts/size's reference, to install with R's own
# flags, for the examples, for the tests without NOT_CRAN and for the pages; megabytes of the tarball, of
# data and documentation, and of what is installed stripped and not. Fails above a limit and says by
# how much. PARTS=<regex> for some of install, examples, tests and pages: without install with the
# library of `make test`. For another R put it first in PATH.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh check
. scripts/size/clock.sh
asked() { printf '%s\n' "$1" | grep -Eq "${PARTS:-.}"; }

figures=$TEMP/cran.csv
say "part,kind,size,clock" >"$figures"
# take <part> <command>: the seconds of it beside those of the reference just before
take() {
  part=$1
  shift
  # shellcheck disable=SC2086
  clock=$(cd "$ROOT/src" && "$TEMP/measure" $compiler -c "$REFERENCE" -o "$TEMP/unit.o" 2>/dev/null)
  # shellcheck disable=SC2016
  found=$("$TEMP/measure" sh -c 'log=$1; shift; exec "$@" >"$log" 2>&1 </dev/null' - "$TEMP/log" "$@") || found="0 0 1"
  # shellcheck disable=SC2086
  set -- $found
  if [ "$3" != 0 ]; then
    tail -n 60 "$TEMP/log" >&2
    die "$part: it does not end."
  fi
  say "$part,seconds,$1,${clock%% *}" >>"$figures"
}
# weigh <what> <kB>
weigh() { say "$1,megabytes,$(awk -v kb="$2" 'BEGIN { printf "%.2f", kb / 1000 }'),1" >>"$figures"; }
kilobytes() { du -ck --apparent-size "$@" 2>/dev/null | tail -n 1 | cut -f 1; }

unset NOT_CRAN CI DUALMARGIN_DATA
export _R_CHECK_LIMIT_CORES_=true
if asked install; then
  lean_build
  build_tarball
  weigh tarball "$(kilobytes "$TARBALL")"
  mkdir "$TEMP/library"
  take install env R_MAKEVARS_USER=/dev/null CCACHE_DISABLE=1 MAKEFLAGS=-j1 \
    R CMD INSTALL --no-test-load --library="$TEMP/library" "$TARBALL"
  R_LIBS=$TEMP/library:$R_LIBS
  weigh "installed with -g" "$(kilobytes "$TEMP/library/dualmargin")"
  strip --strip-unneeded "$TEMP"/library/dualmargin/libs/*.so
  weigh "installed stripped" "$(kilobytes "$TEMP/library/dualmargin")"
  (
    cd "$TEMP/library/dualmargin"
    weigh "data and documentation" "$(kilobytes data doc extdata help html)"
  )
else
  sh scripts/install.sh
fi
mkdir "$TEMP/out"
cp -R tests vignettes "$TEMP/out"
cd "$TEMP/out"
if asked examples; then
  rscript -e 'for (page in tools::Rd_db("dualmargin")) {
    tools::Rd2ex(page, file <- tempfile())
    if (file.exists(file)) cat(readLines(file), sep = "\n")
  }' >found.R
  { say "library(dualmargin)" && cat found.R; } >examples.R
  take examples Rscript --vanilla examples.R
fi
if asked tests; then (cd tests && take tests Rscript --vanilla testthat.R); fi
if asked pages; then
  for page in vignettes/*.Rmd; do say "rmarkdown::render('$page', quiet = TRUE, envir = new.env())"; done >pages.R
  take pages Rscript --vanilla pages.R
fi
cd "$ROOT"
rscript scripts/cran.R "$figures"
