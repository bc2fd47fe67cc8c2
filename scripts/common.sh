# Sourced by the other scripts: where things are and what all steps share. POSIX sh.
set -eu
LC_ALL=C.UTF-8
export LC_ALL

ROOT=$(cd "$(dirname "$0")/.." && pwd)
cd "$ROOT"

say() { printf '%s\n' "$*"; }
die() {
  printf '%s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# An outer make hands its own flags down; the compilations below choose theirs (two jobs at most).
unset MAKEFLAGS MFLAGS MAKELEVEL

TEMP=$(mktemp -d)
trap 'rm -rf "$TEMP"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# OWN holds dualmargin itself, so no library of the user's is touched by a try from a clone;
# PACKAGES receives what has to be installed from the user's package repository.
OWN=$ROOT/.Rlib
PACKAGES=$OWN
first=${R_LIBS_USER:-}
first=${first%%:*}
if [ -n "$first" ] && [ -d "$first" ] && [ -w "$first" ]; then
  PACKAGES=$first
fi
mkdir -p "$OWN"
case ":${R_LIBS:-}:" in
  *":$OWN:"*) ;;
  *) R_LIBS=$OWN${R_LIBS:+:$R_LIBS} ;;
esac
export R_LIBS

# Font and document caches go to HOME, which a service account may not own.
if [ ! -w "${HOME:-/nonexistent}" ]; then
  XDG_CACHE_HOME=$TEMP/cache
  export XDG_CACHE_HOME
fi

# R without the user's profile: no option or startup message of theirs changes what a step does.
rscript() { Rscript --no-init-file "$@"; }

# Compilations from here on, which are to be for the libraries of the clone alone: without
# debugging information, which takes a third of the time and makes a library of 144 MB where 3 MB
# are code, and through ccache where it is installed, since a check compiles the same files twice
# more. What the user's own Makevars says comes first.
lean_build() {
  [ "${R_MAKEVARS_USER:-}" != "$TEMP/Makevars" ] || return 0
  makevars=$(rscript -e 'cat(tools::makevars_user(), sep = "\n")')
  {
    [ -z "$makevars" ] || say "include $makevars"
    for language in C CXX CXX11 CXX14 CXX17 CXX20 F; do say "${language}FLAGS += -g0"; done
    case "$(R CMD config CXX17 2>/dev/null)" in
      '' | *ccache*) ;;
      # shellcheck disable=SC2016
      *) if have ccache; then say 'CXX17 := ccache $(CXX17)'; fi ;;
    esac
  } >"$TEMP/Makevars"
  R_MAKEVARS_USER=$TEMP/Makevars
  CCACHE_DIR=${CCACHE_DIR:-$OWN/ccache}
  CCACHE_NOHASHDIR=1
  export R_MAKEVARS_USER CCACHE_DIR CCACHE_NOHASHDIR
}

# With what only the tests call (src/probes.cpp), which a build of users leaves out.
build_probes() {
  DUALMARGIN_CPPFLAGS=-DDUALMARGIN_PROBES
  export DUALMARGIN_CPPFLAGS
}

# build_tarball [options of R CMD build]: sets TARBALL. Works on a copy, so nothing is written in
# the tree, without what R CMD build would copy only to drop (the library alone can be large).
build_tarball() {
  mkdir "$TEMP/stage" "$TEMP/stage/dualmargin"
  for entry in * .Rbuildignore; do
    case $entry in
      demo-output | data-raw | scripts | *.tar.gz | *.Rcheck) continue ;;
    esac
    cp -Rp "$entry" "$TEMP/stage/dualmargin/"
  done
  (cd "$TEMP/stage" && MAKEFLAGS=-j2 R CMD build --no-manual "$@" dualmargin) \
    >"$TEMP/build.log" 2>&1 || {
    cat "$TEMP/build.log" >&2
    die "R CMD build failed."
  }
  TARBALL=$(ls "$TEMP"/stage/dualmargin_*.tar.gz)
}
