// The default for a problem of all classes: Newton's method, and before it, where its systems are
// large or the loss has to be smoothed for it, dual coordinate ascent for as long as its rate
// promises the tolerance soon.
#pragma once

#include "linear/joint_dual_cd.h"
#include "linear/joint_newton.h"

namespace dualmargin::linear {

template <class Problem>
JointSolution joint_auto(const Problem& problem, const JointSolution& start, Sampler& sampler,
                         Run& run) {
  const double size = static_cast<double>(problem.dim() * problem.classes);
  const bool small = size <= cost::joint_size && Problem::Loss::smooth;
  if (small) return joint_newton(problem, start, run);
  StopRule rule;
  rule.trial = 20;
  rule.worth = 100;
  run.begin(rule);
  JointSolution s = joint_dual_cd(problem, true, start, sampler, run);
  if (run.ended()) return s;
  run.begin();
  return joint_newton(problem, s, run);
}

}  // namespace dualmargin::linear
