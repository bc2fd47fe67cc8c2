// Rows that leave a fit of all classes in one problem. Bounds for all rows from the fit: the ball of
// removal_ball.h where no intercept is free, of a ridge, and the step of removal_step.h of the softmax
// loss; what they leave open by the problem without the rows (joint_problem.h). Ends are differences to
// the class of the row.
#pragma once

#include <memory>
#include <vector>

#include "decide/joint_fit.h"
#include "decide/leaving.h"

namespace dualmargin::decide {

std::vector<Ends> removal_bounds(const JointFit& fit, Tick& tick);

std::unique_ptr<Removable> removal_of(const JointFit& fit);

}  // namespace dualmargin::decide
