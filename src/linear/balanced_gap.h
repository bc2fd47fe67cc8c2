// The gap of probabilities u_i whose means are next to the shares of the classes, beside free
// intercepts. The dual point (1 - theta) u + theta p that is balanced (loss/class_intercepts.h) has a
// sum of a_i x_i that is known exactly, and phi^* is convex: of the losses' part of the gap at p, the same
// for all rows, it takes theta at most.
#pragma once

#include "linear/problem.h"

namespace dualmargin::linear {

class BalancedGap {
 public:
  // A pass over the rows where intercepts are free.
  BalancedGap(const JointProblem& problem, Tick& tick)
      : problem_(problem), losses_(problem.losses), drift_(Vec::Zero(losses_.classes())) {
    if (!losses_.free_intercept) return;
    own_ = -problem.dual_sum(RowMat::zero(problem.n(), losses_.classes()), tick);
    pull_ = own_.rowwise().sum();
  }

  // Beside scores z and the mean `losses` of these; gradient: of w, with the u as slopes. theta: how
  // much of the dual point is p.
  struct Told {
    double gap, theta;
  };
  Told at(const Mat& w, const RowMat& z, const RowMat& u, double losses, const Mat& gradient) {
    const double l2 = problem_.penalty.l2;
    if (losses_.free_intercept) drift_ = losses_.drift(u);
    const auto [theta, p] = balance_of(losses_.shares + drift_, losses_.shares);
    if (!losses_.free_intercept || !(theta > 0)) return {gradient.squaredNorm() / (2 * l2), 0};
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

  // What is missing of the shares, as it was there.
  const Vec& drift() const { return drift_; }

 private:
  const JointProblem& problem_;
  const ClassLosses& losses_;
  Mat own_;    // sum over the rows of each class of omega_i x_i / W
  Vec pull_;   // over all rows
  Vec drift_;
};

}  // namespace dualmargin::linear
