// Proximal Newton for the softmax loss of all classes with an l1 part.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"

namespace dualmargin::linear {

// Proximal Newton, after some steps of FISTA where it is free to choose, for as long as these
// promise the tolerance soon; and FISTA where too many columns are in use.
JointSolution joint_net(const SoftmaxProblem& problem, bool choose, const JointSolution& start,
                        Run& run);

}  // namespace dualmargin::linear
