#!/bin/sh
# The tests that start processes or threads, on a fifth of one core: four loops that do nothing else
# share it with them, at the same priority. What they expect may hang neither on seconds nor on who is
# scheduled. Where a process cannot be held to a core it says so and counts none. Ends as `make test`.
. "$(dirname "$0")/common.sh"

# What starts them, as the files of tests call it.
starts='start_child\(|in_another_process\(|run_laws\(|mclapply\(|multisession|threaded\('
files=$(cd tests/testthat && grep -lE "$starts" test-*.R |
  sed 's/^test-\(.*\)\.R$/\1/')

core=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//; s/[-,].*//') || core=
if [ -z "$core" ] || ! taskset -c "$core" true 2>/dev/null; then
  say "make test-slow: not possible here (no taskset, of util-linux, to hold a process to a core)."
  say "0 passed, 0 failed, 0 skipped"
  exit 0
fi
sh scripts/setup.sh test
sh scripts/install.sh

loops=
# shellcheck disable=SC2086
trap 'kill $loops 2>/dev/null || true; rm -rf "$TEMP"' EXIT
# They end with this process, however it ends.
busy='while kill -0 "$1" 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done'
for _ in 1 2 3 4; do
  taskset -c "$core" sh -c "$busy" busy $$ &
  loops="$loops $!"
done
say "On core $core, beside four busy loops:" $files
FILTER="^($(say $files | tr ' ' '|'))\$"
# Two at a time, each with less than a fifth of the core.
JOBS=2
export FILTER JOBS
taskset -c "$core" Rscript --no-init-file scripts/test.R
