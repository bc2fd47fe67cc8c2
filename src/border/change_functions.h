// The changed problems of a kernel fit, as change_columns.h has those of a linear one.
#pragma once

#include "base/function_ref.h"
#include "border/change.h"
#include "decide/change_functions.h"

namespace dualmargin::border {

using FunctionQuestion =
    FunctionRef<Rcpp::List(const decide::Change& all, const decide::FunctionProblems& problems,
                           const decide::AskedFunctions& rows, Tick& tick)>;

// Of the rows of a fit and those that come, see change_kernel_cpp().
Rcpp::List with_change(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                       const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                       const Rcpp::List& control, FunctionQuestion question);

}  // namespace dualmargin::border
