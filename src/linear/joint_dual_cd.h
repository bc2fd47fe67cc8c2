// Block coordinate ascent of the dual of a problem of all classes.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class L>
JointSolution joint_dual_cd(const JointProblem<L>& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run);

}  // namespace dualmargin::linear
