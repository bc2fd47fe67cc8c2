// Changed problems of a fit across the border, whatever its rows are.
#pragma once

#include <vector>

#include "border/decide.h"
#include "decide/change.h"

namespace dualmargin::border {

// change: omega, sets of rows that leave beside the change, refits, as change_cpp() has them.
std::vector<decide::Answer> answers(const decide::Change& all, const Rcpp::List& change,
                                    Tick& tick);

// Of each set the ends, with a column for each class problem, and whether it was solved.
Rcpp::List as_list(const std::vector<decide::Answer>& answers);

// Of rows of the fit, for those that come beside them.
RowVec followed_by_nothing(const Vec& v, Index n);

}  // namespace dualmargin::border
