#!/bin/sh
# Formats the C++ code in place and reports what lintr says of the R code.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh format
have clang-format || die "clang-format was not found. Type (Debian, Ubuntu):
  sudo apt-get install -y clang-format"
find src -type f \( -name '*.h' -o -name '*.cpp' \) ! -name 'RcppExports.cpp' \
  -exec clang-format -i {} +
rscript -e 'lints <- list()
  for (folder in c("R", "tests", "inst", "scripts", "data-raw")) {
    for (lint in lintr::lint_dir(folder)) {
      cat(sprintf("%s/%s:%d: %s\n", folder, lint$filename, lint$line_number, lint$message))
      lints <- c(lints, list(lint))
    }
  }
  cat(sprintf("%d lints\n", length(lints)))'
