# Sourced by size.sh and cran.sh: the compiler with the flags of a user, and what says what a command takes,
# for seconds to be told in units of the reference.
# shellcheck disable=SC2016
includes=$(rscript -e 'for (name in c("Rcpp", "RcppEigen", "cli")) {
    cat("-I", system.file("include", package = name), " ", sep = "")
  }
  cat("-I", R.home("include"), sep = "")')
config() { R CMD config "$1"; }
plain=$(config CXX17 | sed 's/ccache //g')
compiler="$plain $(config CXX17STD) -DNDEBUG -I. $includes $(config CPPFLAGS) $(config CXX17PICFLAGS)"
compiler="$compiler $(config CXX17FLAGS) -fvisibility=hidden -pthread"
# shellcheck disable=SC2086
$plain -O1 -o "$TEMP/measure" scripts/size/measure.cpp
REFERENCE=$ROOT/scripts/size/reference.cpp
