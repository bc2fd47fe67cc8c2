// Where a path over the radius starts.
#pragma once

#include <algorithm>

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// From this radius on w = 0 is optimal, at P = 1, where the intercept is not free: the multipliers
// alpha_i = 1 - s, beta_i = s have D = 1 and are feasible at the radius (1 - 2 s)|v|_p + kappa s,
// v = (1/W) sum omega_i y_i x_i, which is least at one end of s in [0, 1/2]. With a free intercept
// the classes are balanced first; w = 0 is then optimal there for labels that are trusted.
template <class Data>
double trivial_radius(const RobustSvm<Data>& problem, Tick& tick) {
  Vec alpha = Vec::Ones(problem.n()), beta = Vec::Zero(problem.n());
  problem.clip_and_balance(alpha, beta);
  const double moved = problem.cone.dual_norm(problem.dual_sum(alpha, beta, tick));
  return std::min(moved, 0.5 * problem.label_cost);
}

}  // namespace dualmargin::robust
