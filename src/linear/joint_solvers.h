// The solvers of a problem of all classes, each in a file of its name, but dual_cd.cpp.
#pragma once

#include "linear/problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::linear {

JointSolution joint_newton(const JointProblem& problem, const JointSolution& start, Run& run);
// The softmax loss; lbfgs with a ridge, from a start on a sample of the rows unless `sampler` is null.
JointSolution joint_lbfgs(const JointProblem& problem, const JointSolution& start, Sampler* sampler,
                          Run& run);
JointSolution joint_fista(const JointProblem& problem, bool restart, const JointSolution& start,
                          Run& run);

// joint_auto.cpp: without and with an l1 part; choose: is it the default's?
JointSolution joint_auto(const JointProblem& problem, const JointSolution& start, Sampler& sampler,
                         Run& run);
JointSolution joint_net(const JointProblem& problem, bool choose, const JointSolution& start,
                        Run& run);
// Without an l1 part.
JointSolution joint_dual_cd(const JointProblem& problem, bool shrink, const JointSolution& start,
                            Sampler& sampler, Run& run);

}  // namespace dualmargin::linear
