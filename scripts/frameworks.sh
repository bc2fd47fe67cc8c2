#!/bin/sh
# Runs the tests with parsnip, mlr3 and what explains models, in a process and with a library of their own in the clone,
# .Rlib-frameworks: they ask for newer versions of packages than the others here were built with.
# What the machine has that is new enough is used from where it is. The last line counts the tests.
# Where they cannot be had, within 20 minutes, it says so and counts none: `make test` skips them.
. "$(dirname "$0")/common.sh"
# lubridate, which recipes uses, asks systemd for the time zone, with a warning where there is none.
TZ=${TZ:-UTC}
export TZ
sh scripts/setup.sh frameworks
sh scripts/install.sh

LIBRARY=$ROOT/.Rlib-frameworks
mkdir -p "$LIBRARY"
R_LIBS=$LIBRARY:$R_LIBS
export R_LIBS

# Those of "$@" that do not load.
missing() {
  rscript -e 'for (name in commandArgs(TRUE)) {
    if (!suppressWarnings(requireNamespace(name, quietly = TRUE))) cat(name, "")
  }' "$@"
}

wanted="parsnip workflows mlr3 yardstick tune insight pdp DALEX marginaleffects tidypredict orbital"
lacking=$(missing $wanted)
if [ -n "$lacking" ]; then
  say "Compiling into .Rlib-frameworks (this once, some minutes): $lacking"
  # mlr3measures, which mlr3 needs, asks for a newer checkmate than it says.
  case $lacking in *mlr3*) lacking="checkmate $lacking" ;; esac
  lean_build
  limit=
  if have timeout; then limit="timeout 1200"; fi
  # With the user's profile, since that is where a repository is configured.
  # shellcheck disable=SC2086
  $limit Rscript scripts/install-packages.R "$LIBRARY" $lacking >"$TEMP/packages.log" 2>&1 || true
  # shellcheck disable=SC2086
  lacking=$(missing $wanted)
  [ -z "$lacking" ] || tail -n 30 "$TEMP/packages.log"
fi
case "$lacking" in
  *parsnip*mlr3*)
    say "Neither parsnip nor mlr3 can be installed (the reason is above); their tests are skipped."
    say "0 passed, 0 failed, 0 skipped"
    exit 0
    ;;
esac
[ -z "$lacking" ] || say "Going on without $lacking: tests with them are skipped."
rscript -e 'for (name in commandArgs(TRUE)) cat(name, format(packageVersion(name)), "\n")' \
  $(for name in $wanted; do case " $lacking" in *" $name "*) ;; *) say "$name" ;; esac; done)

FILTER='^(mlr3|parsnip|metrics|explainers|autoplot)$'
export FILTER
rscript scripts/test.R
