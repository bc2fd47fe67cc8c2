#!/bin/sh
# Formats the C++ code in place and reports what lintr says of the R code.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh format
have clang-format || die "clang-format was not found. Type (Debian, Ubuntu):
  sudo apt-get install -y clang-format"
find src -type f \( -name '*.h' -o -name '*.cpp' \) ! -name 'RcppExports.cpp' \
  -exec clang-format -i {} +
rscript -e 'lints <- c(lintr::lint_dir("R"), lintr::lint_dir("tests"), lintr::lint_dir("inst"),
  lintr::lint_dir("scripts"), lintr::lint_dir("data-raw"))
  for (lint in lints) cat(sprintf("%s:%d: %s\n", lint$filename, lint$line_number, lint$message))
  cat(sprintf("%d lints\n", length(lints)))'
