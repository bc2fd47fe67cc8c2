// The solvers of a problem of all classes, each in a file of its name.
#pragma once

#include "linear/joint_problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

template <class L>  // without an l1 part
JointSolution joint_auto(const JointProblem<L>& problem, const JointSolution& start,
                         Sampler& sampler, Run& run);
template <class L>
JointSolution joint_dual_cd(const JointProblem<L>& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run);
template <class L>
JointSolution joint_newton(const JointProblem<L>& problem, const JointSolution& start, Run& run);

JointSolution joint_fista(const SoftmaxProblem& problem, bool restart, const JointSolution& start,
                          Run& run);
// Proximal Newton, after some steps of FISTA where it is free to choose, for as long as these
// promise the tolerance soon; and FISTA where too many columns are in use.
JointSolution joint_net(const SoftmaxProblem& problem, bool choose, const JointSolution& start,
                        Run& run);

}  // namespace dualmargin::linear
