#!/bin/sh
# Runs every R script of a folder in turn, by name, from the top of the clone; those whose names
# begin with an underscore are parts of others. Usage: sh scripts/each.sh inst/bench
. "$(dirname "$0")/common.sh"
folder=${1:?"which folder?"}
sh scripts/setup.sh bench
sh scripts/install.sh
found=no
for script in "$folder"/[!_]*.R; do
  [ -e "$script" ] || continue
  found=yes
  say "== $script"
  rscript "$script"
done
[ $found = yes ] || say "$folder holds no scripts."
