// The default for a problem of all classes without an l1 part.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class L>
JointSolution joint_auto(const JointProblem<L>& problem, const JointSolution& start,
                         Sampler& sampler, Run& run);

}  // namespace dualmargin::linear
