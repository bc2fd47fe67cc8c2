// The solvers of a problem of all classes, each in a file of its name.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

// Without an l1 part.
JointSolution joint_auto(const JointProblem& problem, const JointSolution& start, Sampler& sampler,
                         Run& run);
JointSolution joint_dual_cd(const JointProblem& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run);
JointSolution joint_newton(const JointProblem& problem, const JointSolution& start, Run& run);

// The softmax loss.
JointSolution joint_fista(const JointProblem& problem, bool restart, const JointSolution& start,
                          Run& run);
// The same: proximal Newton, after some steps of FISTA where it is free to choose, for as long as
// these promise the tolerance soon; and FISTA where too many columns are in use.
JointSolution joint_net(const JointProblem& problem, bool choose, const JointSolution& start,
                        Run& run);

}  // namespace dualmargin::linear
