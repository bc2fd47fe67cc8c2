// The only place where a name of the problems of all classes becomes a type.
#pragma once

#include <string>

#include "border/border.h"
#include "border/names.h"
#include "linear/joint_solvers.h"

namespace dualmargin::linear {

inline ClassLossPtr class_loss(const std::string& name, Index classes) {
  if (name == "softmax") return std::make_shared<MulticlassSoftmax>(classes);
  if (name == "crammer_singer") return std::make_shared<CrammerSinger>(classes);
  border::unknown("loss of several classes", name);
}

// By the methods that read rows in whole passes. `option` reads an option by name; the registry on the
// R side fills in every default.
inline JointSolution solve_joint_in_passes(const std::string& solver, const JointProblem& problem,
                                           const border::Options& option,
                                           const JointSolution& start, Run& run) {
  if (problem.losses.smooth()) {
    if (solver == "fista") return joint_fista(problem, option.flag("restart"), start, run);
    if (problem.penalty.l1 > 0) return joint_net(problem, solver == "auto", start, run);
  }
  if (solver == "lbfgs") return joint_lbfgs(problem, start, nullptr, run);
  if (solver == "auto" || solver == "newton") return joint_newton(problem, start, run);
  border::unknown("solver that reads rows in whole passes", solver);
}

inline JointSolution solve_joint(const std::string& solver, const JointProblem& problem,
                                 const border::Options& option, const JointSolution& start,
                                 Sampler& sampler, Run& run) {
  if (solver == "dual_cd") {
    return joint_dual_cd(problem, option.flag("shrinking"), start, sampler, run);
  }
  if (solver == "lbfgs") {
    return joint_lbfgs(problem, start, option.flag("subsample") ? &sampler : nullptr, run);
  }
  if (solver == "auto" && problem.penalty.l1 == 0) return joint_auto(problem, start, sampler, run);
  return solve_joint_in_passes(solver, problem, option, start, run);
}

}  // namespace dualmargin::linear
