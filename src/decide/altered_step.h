// How much of a step towards the optimum of an altered problem is taken.
#pragma once

#include "decide/altered_metric.h"

namespace dualmargin::decide {

// of the rows, and of the one that comes
struct Scores {
  const RowVec& z;
  double arrived;
};

// Of a step from w with these scores: where the slope of the objective along it is 0. It rises, so its
// root is bracketed; a whole step that leaves a thousandth of it is Newton's.
double best_share(const region::Problem& problem, const Altered& of, const Scores& at, const Vec& w,
                  const Vec& by, Tick& tick);

}  // namespace dualmargin::decide
