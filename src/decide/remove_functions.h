// Rows that leave a kernel fit: the bounds of removal_bounds.h in function space, and what they
// leave open by steps in the dual variables, or by refits in which the rows have no weight, warm
// and tighter until they are decided.
#pragma once

#include <memory>

#include "decide/leaving.h"
#include "decide/refit.h"
#include "decide/refit_functions.h"
#include "region/function_rows.h"

namespace dualmargin::decide {

// rows, which are their own points, and not moved
std::unique_ptr<Removable> removal_of(const region::FunctionRows& rows, const LossPtr& phi,
                                      double mu, bool free, const RowVec& a, Rule rule,
                                      FunctionRefits refits, Tick& tick);

}  // namespace dualmargin::decide
