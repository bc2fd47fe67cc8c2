// Rows that leave a linear fit, alone or in groups: what its scores of them would be without them.
// Bounds for all rows from the pair of the fit; what they leave open by steps without the row where
// the penalty is a ridge, Newton's for a smooth loss and from kink to kink for a piecewise linear
// one, and by refits otherwise.
#pragma once

#include <memory>

#include "decide/leaving.h"
#include "decide/refit.h"
#include "decide/workspace.h"

namespace dualmargin::decide {

// origin: the user's, as the moved rows are
std::unique_ptr<Removable> removal_of(const Workspace& workspace, Vec origin, const ElasticNet& g,
                                      const Vec& w, double b, const RowVec& a, Rule rule,
                                      bool curved, Refits refits, Tick& tick);

}  // namespace dualmargin::decide
