#!/bin/sh
# Names the words of help, pages, README and NEWS that are neither British English nor in inst/WORDLIST,
# with their places; ends with 1 where there is one. After a look at them, ACCEPT=yes adds them there.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh spelling
ACCEPT=${ACCEPT:-no} rscript -e 'if (Sys.getenv("ACCEPT") == "yes") {
    spelling::update_wordlist(confirm = FALSE)
  }
  words <- spelling::spell_check_package()
  print(words)
  cat(sprintf("%d words\n", nrow(words)))
  quit(status = as.integer(nrow(words) > 0L))'
