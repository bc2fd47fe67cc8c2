#!/bin/sh
# Sets up, installs, runs every call of the ledger again (tests/ledger) and compares what it returns;
# PAGES=<regex> for some, TOLERANCE=<number> for numbers closer than what a certificate asks.
# RECORD=yes takes the calls and what they return from today's help, README and pages instead.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh test
sh scripts/install.sh
rscript scripts/ledger.R ${RECORD:+--record} ${TOLERANCE:+"--tolerance=$TOLERANCE"} ${PAGES:+"$PAGES"}
