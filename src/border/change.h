// Changed problems of a fit across the border, whatever its rows are. The solvers and what follows from
// them are compiled in change.cpp and decide_joint.cpp alone.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "border/decide.h"
#include "decide/change.h"
#include "decide/change_columns.h"
#include "decide/change_functions.h"

namespace dualmargin::border {

using ColumnQuestion =
    FunctionRef<Rcpp::List(const decide::Change& all, const decide::ColumnProblems& problems,
                           const decide::AskedRows& rows, Tick& tick)>;
using FunctionQuestion =
    FunctionRef<Rcpp::List(const decide::Change& all, const decide::FunctionProblems& problems,
                           const decide::AskedFunctions& rows, Tick& tick)>;

// Of the rows of a fit and those that come, see change_cpp(): of columns, or of a kernel.
Rcpp::List with_change(const FittedRows& of, const Rcpp::List& change, SEXP asked,
                       ColumnQuestion of_columns, FunctionQuestion of_kernel);
// Of one problem of all classes.
Rcpp::List change_of_classes(const FittedRows& of, const Rcpp::List& change, SEXP asked);

// change: omega, sets of rows that leave beside the change, refits, as change_cpp() has them.
std::vector<decide::Answer> answers(const decide::Change& all, const Rcpp::List& change,
                                    Tick& tick);

// Of each set the ends, with a column for each class problem, and whether it was solved.
Rcpp::List as_list(const std::vector<decide::Answer>& answers);

// Of rows of the fit, for those that come beside them.
RowVec followed_by_nothing(const Vec& v, Index n);

}  // namespace dualmargin::border
