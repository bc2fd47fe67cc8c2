#!/bin/sh
# The tests with nothing but what the package needs: Imports, testthat and base R, no suggested and no
# recommended package beside those; all examples; and, where knitr is, all pages with that besides.
# What is on the machine is hidden, not removed. Ends as `make test`.
. "$(dirname "$0")/common.sh"
sh scripts/setup.sh bare
sh scripts/install.sh
rscript scripts/bare-library.R "$TEMP/bare"
rscript scripts/bare-library.R "$TEMP/pages" knitr
DUALMARGIN_PAGES_LIBRARY=$TEMP/pages
R_LIBS=$TEMP/bare
R_LIBS_USER=NULL
R_LIBS_SITE=NULL
# For tests and packages that ask it whether they may expect a suggested package.
_R_CHECK_DEPENDS_ONLY_=true
export DUALMARGIN_PAGES_LIBRARY R_LIBS R_LIBS_USER R_LIBS_SITE _R_CHECK_DEPENDS_ONLY_
rscript scripts/test.R
