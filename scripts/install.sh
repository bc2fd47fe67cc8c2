#!/bin/sh
# Installs dualmargin from a built tarball into .Rlib of the clone, unless what is there was built
# from these very files with this very R.
. "$(dirname "$0")/common.sh"

fingerprint() {
  find DESCRIPTION NAMESPACE LICENSE R src data inst man -type f \
    ! -name '*.o' ! -name '*.so' ! -name '*.dll' -exec cksum {} + 2>/dev/null | sort
  # shellcheck disable=SC2016
  rscript -e 'cat(R.version.string, R.home(), sapply(c("Rcpp", "RcppEigen", "Matrix", "cli"),
    function(name) format(packageVersion(name))))'
}

stamp=$OWN/dualmargin.stamp
fingerprint >"$TEMP/fingerprint"
if [ -d "$OWN/dualmargin" ] && cmp -s "$TEMP/fingerprint" "$stamp"; then
  exit 0
fi

say "Building and installing dualmargin (two to four minutes, less with ccache)..."
rm -rf "$stamp" "$OWN/dualmargin" "$OWN/00LOCK-dualmargin"
build_tarball --no-build-vignettes
lean_build
build_probes
MAKEFLAGS=-j2 R CMD INSTALL --preclean --strip --library="$OWN" "$TARBALL" >"$TEMP/install.log" 2>&1 || {
  cat "$TEMP/install.log" >&2
  die "R CMD INSTALL failed."
}
# R CMD check refuses a warning of the compiler an hour later.
if grep -A6 '^[^/].*: warning: ' "$TEMP/install.log" >&2; then
  die "The compiler warns of our own code."
fi
cp "$TEMP/fingerprint" "$stamp"
