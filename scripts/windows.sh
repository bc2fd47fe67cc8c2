#!/bin/sh
# The part of src that does not use R, compiled for Windows, and the rows of files read and
# written there, under wine.
. "$(dirname "$0")/common.sh"
compiler=x86_64-w64-mingw32-g++-posix
if ! have $compiler || ! have wine; then
  say "Not possible here: $compiler or wine was not found (Debian: g++-mingw-w64-x86-64-posix, wine)."
  exit 0
fi
sh scripts/setup.sh test
eigen=$(rscript -e 'cat(system.file("include", package = "RcppEigen"))')
flags="-std=gnu++17 -O0 -Wall -Wextra -Isrc -isystem $eigen"
of_r='(^| )(Rcpp[A-Za-z]*|R|R_ext/[A-Za-z]*)[.]h|border/'
for unit in src/units/*.cpp; do
  # shellcheck disable=SC2086
  if g++ $flags -MM -MG "$unit" | grep -Eq "$of_r"; then
    say "$unit: left out, it includes R"
  else
    say "$unit"
    $compiler $flags -c "$unit" -o "$TEMP/$(basename "$unit" .cpp).o"
  fi
done
# shellcheck disable=SC2086
$compiler $flags -static scripts/windows/driver.cpp "$TEMP"/*.o -o "$TEMP/driver.exe"
cd "$TEMP"
WINEPREFIX=$TEMP/wine WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
status=0
wine driver.exe || status=$?
wineserver -w
exit "$status"
