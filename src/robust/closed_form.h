// Problems that need no iteration, and the radius from which on w = 0 is optimal.
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// Does a radius of half the label cost or more pay for a flip of half of every label? Then 1 - u_i
// or 1 + u_i - kappa t stays, on average, 1 in every row: w = 0 is optimal and P = 1.
inline bool labels_are_cheap(const RobustSvm& problem) {
  return problem.label_cost <= 2 * problem.radius;
}
inline Solution half_of_each_label(const RobustSvm& problem) {
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.alpha = s.beta = RowVec::Constant(problem.n(), 0.5);
  return s;
}

// Do all rows of positive weight have one label, which the intercept alone can give?
inline bool constant_suffices(const RobustSvm& problem) {
  if (!problem.free_intercept) return false;
  const double up = problem.class_share(1), down = problem.class_share(-1);
  return (up > 0) != (down > 0);
}

// The mean of convex functions of u_i is at least their value at the mean of the u_i, which b can
// be made to give with w = 0. There P = t epsilon + max(1 - u, 1 + u - kappa t, 0), u = y b, is
// smallest at u = 1 with t = 2 / kappa, where labels are not cheap.
inline Solution constant_fit(const RobustSvm& problem) {
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.b = problem.class_share(1) > 0 ? 1 : -1;
  s.t = 2 / problem.label_cost;
  s.alpha = s.beta = RowVec::Constant(problem.n(), problem.radius / problem.label_cost);
  return s;
}

// Where a path over the radius starts. From this radius on w = 0 is optimal, at P = 1, where the
// intercept is not free: the multipliers alpha_i = 1 - s, beta_i = s have D = 1 and are feasible at
// the radius (1 - 2 s)|v|_p + kappa s, v = (1/W) sum omega_i y_i x_i, which is least at one end of
// s in [0, 1/2]. With a free intercept the classes are balanced first; w = 0 is then optimal there
// for labels that are trusted.
inline double trivial_radius(const RobustSvm& problem, Tick& tick) {
  RowVec alpha = RowVec::Ones(problem.n()), beta = RowVec::Zero(problem.n());
  problem.clip_and_balance(alpha, beta);
  const double moved = problem.cone.dual_norm(problem.dual_sum(alpha, beta, tick));
  return std::min(moved, 0.5 * problem.label_cost);
}

}  // namespace dualmargin::robust
