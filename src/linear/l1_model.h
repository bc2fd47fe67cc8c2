// The quadratic model of a proximal Newton step:
//
//   min_v  gradient'(v - w) + 1/2 (v - w)'M (v - w) + l1 sum_{k < penalised} |v_k|,
//
// M positive semidefinite (lower triangle given). Coordinate descent finds the support; once it has
// settled, one linear system on the support gives the solution exactly. This is the inner problem
// of newGLMNET, Yuan, Ho and Lin (2012), JMLR 13, section 4, with a semismooth finish.
#pragma once

#include <vector>

#include "algebra/normal_matrix.h"
#include "linear/sign_change.h"

namespace dualmargin::linear {

class L1Model {
 public:
  L1Model(const Mat& lower, const Vec& gradient, const Vec& w, double l1, Index penalised)
      : M_(lower.selfadjointView<Eigen::Lower>()),
        w_(w),
        v_(w),
        slope_(gradient),
        l1_(l1),
        penalised_(penalised) {}

  // Returns v. The violation is measured in units of the objective's square root. A large model is
  // solved to a thousandth: its matrix changes with the next step anyway.
  const Vec& minimise(Tick& tick) {
    return v_.size() > 500 ? minimise(1e-3, 12, tick) : minimise(1e-8, 200, tick);
  }
  const Vec& minimise(double precision, int rounds, Tick& tick) {
    double first = 0;
    for (int round = 0; round < rounds; ++round) {
      double violation = 0;
      for (int sweep = 0; sweep < 5; ++sweep) violation = this->sweep();
      if (round == 0) first = std::max(violation, largest_violation());
      if (violation <= precision * first || !tick.poll()) break;
      finish_on_support(tick);
    }
    return v_;
  }

  // gradient'd + d'Md/2 + l1 (|v|_1 - |w|_1), d = v - w: negative unless w is optimal
  double change(const Vec& gradient) const {
    const Vec d = v_ - w_;
    const double l1_change =
        l1_ * (v_.head(penalised_).lpNorm<1>() - w_.head(penalised_).lpNorm<1>());
    return 0.5 * d.dot(gradient + slope_) + l1_change;
  }

 private:
  double target(Index k) const {
    const double curvature = M_(k, k), centre = v_[k] - slope_[k] / curvature;
    return k < penalised_ ? soft_threshold(centre, l1_ / curvature) : centre;
  }

  // One pass of exact coordinate steps; the largest sqrt(M_kk) |step|.
  double sweep() {
    double largest = 0;
    for (Index k = 0; k < v_.size(); ++k) {
      if (!(M_(k, k) > 0)) continue;
      const double step = target(k) - v_[k];
      if (step == 0) continue;
      v_[k] += step;
      slope_ += step * M_.col(k);
      largest = std::max(largest, std::sqrt(M_(k, k)) * std::abs(step));
    }
    return largest;
  }

  double largest_violation() const {
    double largest = 0;
    for (Index k = 0; k < v_.size(); ++k) {
      if (!(M_(k, k) > 0)) continue;
      largest = std::max(largest, std::sqrt(M_(k, k)) * std::abs(target(k) - v_[k]));
    }
    return largest;
  }

  // Newton on the coordinates that are not zero, signs held. Where the step crosses zero: the
  // better of leaving the crossing ones there and of the minimum along the step; coordinate descent
  // goes on from there.
  void finish_on_support(Tick& tick) {
    std::vector<Index> support;
    for (Index k = 0; k < v_.size(); ++k) {
      if (M_(k, k) > 0 && (k >= penalised_ || v_[k] != 0)) support.push_back(k);
    }
    const Index m = static_cast<Index>(support.size());
    if (m == 0) return;
    Mat A(m, m);
    Vec right(m);
    for (Index j = 0; j < m; ++j) {
      const Index k = support[j];
      for (Index i = j; i < m; ++i) A(i, j) = M_(support[i], k);
      A(j, j) *= 1 + 1e-14;
      right[j] = -slope_[k] - (k < penalised_ ? std::copysign(l1_, v_[k]) : 0.0);
    }
    Cholesky factor;
    if (!factor.factor(std::move(A), tick)) return;
    const Vec step = factor.solve(right);
    Vec v(m);
    for (Index j = 0; j < m; ++j) v[j] = v_[support[j]];
    const Index penalised =
        std::lower_bound(support.begin(), support.end(), penalised_) - support.begin();
    const Vec clipped = up_to_zero(v, step, penalised);
    if (clipped == step) return take(support, step);
    const Vec image = product(support, clipped);
    double by_clipping = -right.dot(clipped);
    for (Index j = 0; j < m; ++j) by_clipping += 0.5 * clipped[j] * image[support[j]];
    const double fall = right.dot(step);  // the step solves A step = right
    const auto [length, by_going] = beyond_zero(v, step, penalised, l1_, fall, fall);
    take(support, by_clipping < by_going ? clipped : Vec(length * step));
  }

  Vec product(const std::vector<Index>& support, const Vec& step) const {
    Vec image = Vec::Zero(v_.size());
    for (Index j = 0; j < step.size(); ++j) image += step[j] * M_.col(support[j]);
    return image;
  }

  void take(const std::vector<Index>& support, const Vec& step) {
    slope_ += product(support, step);
    for (Index j = 0; j < step.size(); ++j) {
      double& v = v_[support[j]];
      v = step[j] == -v ? 0.0 : v + step[j];
    }
  }

  Mat M_;
  Vec w_, v_, slope_;  // slope_ = gradient + M (v - w)
  double l1_;
  Index penalised_;
};

}  // namespace dualmargin::linear
