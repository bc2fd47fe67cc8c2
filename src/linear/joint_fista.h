// FISTA for the softmax loss of all classes.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"

namespace dualmargin::linear {

JointSolution joint_fista(const SoftmaxProblem& problem, bool restart, const JointSolution& start,
                          Run& run);

}  // namespace dualmargin::linear
