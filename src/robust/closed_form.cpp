#include "robust/solvers.h"

namespace dualmargin::robust {

bool labels_are_cheap(const RobustSvm& problem) { return problem.label_cost <= 2 * problem.radius; }

Solution half_of_each_label(const RobustSvm& problem) {
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.alpha = s.beta = RowVec::Constant(problem.n(), 0.5);
  return s;
}

bool constant_suffices(const RobustSvm& problem) {
  if (!problem.free_intercept) return false;
  const double up = problem.class_share(1), down = problem.class_share(-1);
  return (up > 0) != (down > 0);
}

Solution constant_fit(const RobustSvm& problem) {
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.b = problem.class_share(1) > 0 ? 1 : -1;
  s.t = 2 / problem.label_cost;
  s.alpha = s.beta = RowVec::Constant(problem.n(), problem.radius / problem.label_cost);
  return s;
}

double trivial_radius(const RobustSvm& problem, Tick& tick) {
  RowVec alpha = RowVec::Ones(problem.n()), beta = RowVec::Zero(problem.n());
  problem.clip_and_balance(alpha, beta);
  const double moved = problem.cone.dual_norm(problem.dual_sum(alpha, beta, tick));
  return std::min(moved, 0.5 * problem.label_cost);
}

}  // namespace dualmargin::robust
