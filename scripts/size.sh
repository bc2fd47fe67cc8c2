#!/bin/sh
# What the package costs to compile, with the flags of a user: seconds of processor beside those of a
# reference, MB and kB of object code of each unit, and with HEADERS=yes of each header that is
# included alone. Fails above the figures of scripts/size.csv, or above the budgets below;
# RECORD=yes writes them there. UNITS=<regex> for some.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test

. scripts/size/clock.sh

figures=$TEMP/size.csv
say "kind,name,seconds,mb,kb" >"$figures"
# take <kind> <name> <file>
take() {
  # shellcheck disable=SC2086
  found=$(cd src && "$TEMP/measure" $compiler -c "$3" -o "$TEMP/unit.o" 2>"$TEMP/errors") || found="0 0 1"
  # shellcheck disable=SC2086
  set -- "$1" "$2" $found
  if [ "$5" != 0 ]; then
    cat "$TEMP/errors" >&2
    die "$2 does not compile."
  fi
  text=$(size "$TEMP/unit.o" | awk 'NR == 2 { printf "%.0f", $1 / 1000 }')
  say "$1,$2,$3,$4,$text" | tee -a "$figures"
}

for round in 1 2 3; do take reference "round $round" "$REFERENCE"; done
objects=$(cd src && printf '%s\n' 'include Makevars' 'objects-listed: ; @echo $(OBJECTS)' | make -s -f - objects-listed)
for object in $objects; do
  unit=${object%.o}.cpp
  case $unit in probes*) continue ;; esac
  printf '%s\n' "$unit" | grep -Eq "${UNITS:-.}" || continue
  take unit "$unit" "$unit"
done
if [ "${HEADERS:-}" = yes ]; then
  printf '#include <Eigen/Core>\n' >"$TEMP/header.cpp"
  take header Eigen/Core "$TEMP/header.cpp"
  for header in $(cd src && find . -name '*.h' | sed 's|^./||' | sort); do
    printf '#include "%s"\n' "$header" >"$TEMP/header.cpp"
    take header "$header" "$TEMP/header.cpp"
  done
fi
rscript scripts/size.R "$figures" "${RECORD:-no}"
