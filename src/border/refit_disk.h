// Refits of rows in a file, by the solvers that read rows in whole passes: compiled in on_disk.cpp and
// nowhere else. "newton", "ssnal" and "auto".
#pragma once

#include "border/refit.h"
#include "border/refit_joint.h"
#include "rows/on_disk.h"

namespace dualmargin::linear {

template <>
Solution solve_by_name(const std::string& solver, const LinearProblem<OnDisk<Dense>>& problem,
                       const LossName& loss, const border::Options& option, const Solution& start,
                       Sampler& draws, Run& run);
template <>
Solution solve_by_name(const std::string& solver, const LinearProblem<OnDisk<Sparse>>& problem,
                       const LossName& loss, const border::Options& option, const Solution& start,
                       Sampler& draws, Run& run);
template <>
JointSolution joint_solved_to(const border::FitCall& call,
                              const decide::JointRefitOf<OnDisk<Dense>>& what,
                              const JointSolution& start, double tol, Tick& tick);
template <>
JointSolution joint_solved_to(const border::FitCall& call,
                              const decide::JointRefitOf<OnDisk<Sparse>>& what,
                              const JointSolution& start, double tol, Tick& tick);

}  // namespace dualmargin::linear
