#!/bin/sh
# Builds the tarball and runs R CMD check --as-cran on it, all in a temporary directory. Passes with
# no error, no warning and no note but that of the installed size. The last line says "check: OK" or
# "check: FAILED".
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh check

knits() {
  rscript -e 'quit(status = !all(sapply(c("knitr", "rmarkdown"), requireNamespace)))' 2>/dev/null
}
if ls vignettes/*.Rmd >/dev/null 2>&1 && have pandoc && knits; then
  build=
  # They have just been built into the tarball; the check runs their code once more.
  check=--no-build-vignettes
else
  say "Vignettes are left out: there are none, or pandoc, knitr or rmarkdown is not installed."
  build=--no-build-vignettes
  check=--ignore-vignettes
  # Without built vignettes the CRAN intake part of the check could only repeat that.
  _R_CHECK_CRAN_INCOMING_=false
  export _R_CHECK_CRAN_INCOMING_
fi
lean_build
# shellcheck disable=SC2086
build_tarball $build

size=$(wc -c <"$TARBALL")
say "Tarball: $((size / 1000)) kB"

# Neither the network nor the clock of a stranger is asked (the set-up may be offline); packages
# suggested but not to be had are reported, not fatal.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false
export _R_CHECK_FORCE_SUGGESTS_=false
export _R_CHECK_SYSTEM_CLOCK_=0
# Where a suggested package is missing, R 4.2 looks all its kind up on the network and dies without
# one; an empty list of packages answers it.
mkdir -p "$TEMP/cran/web/packages"
rscript -e 'saveRDS(data.frame(Package = character(), Maintainer = character()),
  commandArgs(TRUE)[1])' "$TEMP/cran/web/packages/packages.rds"
export R_CRAN_WEB="file://$TEMP/cran"
# R's own HTML validation answers with a note where the tool that it calls is not installed.
have tidy || export _R_CHECK_RD_VALIDATE_RD2HTML_=false

# The tests of tests/testthat/helper-cran.R, as on CRAN; `make test` runs all.
unset NOT_CRAN

status=0
# shellcheck disable=SC2086
(cd "$TEMP" && MAKEFLAGS=-j2 R CMD check --as-cran --no-manual $check "$TARBALL") </dev/null ||
  status=$?
rscript scripts/check.R "$TEMP/dualmargin.Rcheck" "$status" "$size"
