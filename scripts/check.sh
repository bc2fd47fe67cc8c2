#!/bin/sh
# Builds the tarball and runs R CMD check --as-cran on it, all in a temporary directory. Passes with
# no error, no warning and no note but that of the installed size. The last line says "check: OK" or
# "check: FAILED".
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh check

if ls vignettes/*.Rmd >/dev/null 2>&1 && have pandoc &&
  rscript -e 'quit(status = !all(sapply(c("knitr", "rmarkdown"), requireNamespace)))' 2>/dev/null; then
  build=
  check=
else
  say "Vignettes are neither built nor checked: there are none, or pandoc, knitr or rmarkdown lacks."
  build=--no-build-vignettes
  check=--ignore-vignettes
  # Without built vignettes the CRAN intake part of the check could only repeat that.
  _R_CHECK_CRAN_INCOMING_=false
  export _R_CHECK_CRAN_INCOMING_
fi
# shellcheck disable=SC2086
build_tarball $build

size=$(wc -c <"$TARBALL")
say "Tarball: $((size / 1000)) kB"

# Neither the network nor the clock of a stranger is asked (the set-up may be offline); packages
# suggested but not to be had are reported, not fatal.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false
export _R_CHECK_FORCE_SUGGESTS_=false
export _R_CHECK_SYSTEM_CLOCK_=0
# R's own HTML validation answers with a note where the tool that it calls is not installed.
have tidy || export _R_CHECK_RD_VALIDATE_RD2HTML_=false

status=0
# shellcheck disable=SC2086
(cd "$TEMP" && MAKEFLAGS=-j2 R CMD check --as-cran --no-manual $check "$TARBALL") </dev/null ||
  status=$?
rscript scripts/check.R "$TEMP/dualmargin.Rcheck" "$status" "$size"
