#include "linear/balanced_gap.h"

#include "loss/class_intercepts.h"

namespace dualmargin::linear {

BalancedGap::BalancedGap(const JointProblem& problem, Tick& tick)
    : problem_(problem), losses_(problem.losses), drift_(Vec::Zero(losses_.classes())) {
  if (!losses_.free_intercept) return;
  own_ = -problem.dual_sum(RowMat::zero(problem.n(), losses_.classes()), tick);
  pull_ = own_.rowwise().sum();
}

BalancedGap::Told BalancedGap::at(const Mat& w, const RowMat& z, const RowMat& u, double losses,
                                  const Mat& gradient) {
  const double l2 = problem_.penalty.l2;
  const double plain = gradient.squaredNorm() / (2 * l2);
  if (!losses_.free_intercept) return {plain, 0};
  drift_ = losses_.drift(u);
  const auto [theta, p] = balance_of(losses_.shares + drift_, losses_.shares);
  if (!(theta > 0)) return {plain, 0};
  const double own =
      problem_.rows.sum([&](Index i) { return losses_.share(i) * z(i, losses_.y[i]); });
  double conjugates = 0;
  for (Index c = 0; c < losses_.classes(); ++c) {
    conjugates += losses_.shares[c] * losses_.loss.conjugate(p.data(), c);
  }
  const Mat rest = (1 - theta) * gradient + theta * (l2 * w + pull_ * p.transpose() - own_);
  const double fenchel = losses + conjugates + own - p.dot(losses_.mean(z));
  return {rest.squaredNorm() / (2 * l2) + theta * fenchel, theta};
}

}  // namespace dualmargin::linear
