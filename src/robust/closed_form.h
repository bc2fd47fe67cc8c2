// Problems that need no iteration.
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// kappa = 0: 1 - u_i or 1 + u_i is above 1 in every row, so w = 0 is optimal and P = 1.
template <class Data>
Solution free_labels(const RobustSvm<Data>& problem) {
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.alpha = s.beta = Vec::Constant(problem.n(), 0.5);
  return s;
}

// Do all rows of positive weight have one label, which the intercept alone can give?
template <class Data>
bool constant_suffices(const RobustSvm<Data>& problem) {
  if (!problem.free_intercept) return false;
  const double up = problem.class_share(1), down = problem.class_share(-1);
  return (up > 0) != (down > 0);
}

// The mean of convex functions of u_i is at least their value at the mean of the u_i, which b can
// be made to give with w = 0. There P = t epsilon + max(1 - u, 1 + u - kappa t, 0), u = y b, is
// smallest at u = 1 with t = 2 / kappa, or at u = t = 0 if labels are cheaper than that.
template <class Data>
Solution constant_fit(const RobustSvm<Data>& problem) {
  const double kappa = problem.label_cost;
  const bool hold = problem.radius <= kappa / 2;
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.b = !hold ? 0 : problem.class_share(1) > 0 ? 1 : -1;
  s.t = hold ? 2 / kappa : 0.0;
  s.alpha = s.beta = Vec::Constant(problem.n(), hold ? problem.radius / kappa : 0.5);
  return s;
}

}  // namespace dualmargin::robust
