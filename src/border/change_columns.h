// The changed problems of a linear fit, for what asks them something: the solvers and what follows
// from them are compiled in change.cpp alone.
#pragma once

#include <utility>

#include "base/function_ref.h"
#include "border/change.h"
#include "decide/asked_rows.h"
#include "decide/change_columns.h"

namespace dualmargin::border {

using ColumnQuestion =
    FunctionRef<Rcpp::List(const decide::Change& all, const decide::ColumnProblems& problems,
                           const decide::AskedRows& rows, Tick& tick)>;

// Of the rows of a fit and those that come, see change_cpp().
Rcpp::List with_change(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                       const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                       const Rcpp::List& control, ColumnQuestion question);

}  // namespace dualmargin::border
