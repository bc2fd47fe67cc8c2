// Newton's method for the problems of all classes, its steps by conjugate gradients.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"

namespace dualmargin::linear {

template <class L>
JointSolution joint_newton(const JointProblem<L>& problem, const JointSolution& start, Run& run);

}  // namespace dualmargin::linear
