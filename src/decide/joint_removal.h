// Bounds on the scores that a row would have without it, for all rows at once from the fit of all
// classes in one problem: the ball of removal_ball.h where no intercept is free, of a ridge, and the step of
// removal_step.h of the softmax loss. Ends are differences to the class of the row.
#pragma once

#include <vector>

#include "decide/joint_fit.h"
#include "region/region.h"

namespace dualmargin::decide {

std::vector<region::Ends> removal_bounds(const JointFit& fit, Tick& tick);

}  // namespace dualmargin::decide
