// The quadratic model of a proximal Newton step, solved over columns:
//
//   min_v  u'(v - w) + 1/2 |X (v - w) + delta_b|_h^2 + l2/2 |v|^2 + 1/2 |v - w|_damping^2 + l1
//   |v|_1
//
// over the columns of a set. A free intercept is eliminated: delta_b is the minimiser for every v.
// Coordinate descent keeps s = h (X (v - w)) and visits the nonzeros of one column a step, so no
// matrix is ever formed (Yuan, Ho and Lin (2012), JMLR 13, section 4, keep the same product); once
// few columns are in use, conjugate gradients on these with their signs held go the rest of the
// way.
#pragma once

#include <vector>

#include "algebra/conjugate_gradients.h"
#include "base/tick.h"
#include "linear/sign_change.h"
#include "rows/columns.h"
#include "space/elastic_net.h"

namespace dualmargin::linear {

class ColumnModel {
 public:
  // h: curvature weights; w, u, damping: on the set; r: slope in a free intercept.
  ColumnModel(const Columns& x, const std::vector<Index>& set, const ElasticNet& g,
              const Vec& damping, const Vec& h, const Vec& w, const Vec& u, bool free, double r,
              Tick& tick)
      : x_(x),
        set_(set),
        g_(g),
        ridge_(damping.array() + g.l2),
        h_(h),
        w_(w),
        v_(w),
        slope_(u + g.l2 * w),
        r_(r),
        curvature_(set.size()),
        cross_(Vec::Zero(set.size())),
        s_(Vec::Zero(x.n())),
        total_(free ? h.sum() : 0.0),
        tick_(tick) {
    for (Index k = 0; k < size(); ++k) {
      const Columns::Moments m = x.moments(set[k], h);
      curvature_[k] = m.second;
      if (total_ > 0) {
        cross_[k] = m.first;
        curvature_[k] -= m.first * m.first / total_;
        // a constant column: all its curvature is the intercept's
        if (curvature_[k] <= 1e-12 * m.second) curvature_[k] = 0;
      }
      curvature_[k] += ridge_[k];
      visited_ += static_cast<double>(x.nonzeros(set[k]));
      tick.row(k);
    }
  }

  // Solves until the violation has fallen to `precision` of the first one, or `most` entries were
  // visited: by then the step is worth more than the rest of the model.
  const Vec& minimise(double precision, double most) {
    const double first = violation();
    most_ = most;
    while (visited_ < most && tick_.in_time()) {
      if (sweep(false) <= precision * first) break;
      for (int inner = 0; inner < 3; ++inner) sweep(true);
      accelerate(0.3 * precision * first);
    }
    return v_;
  }

  double delta_b() const { return total_ > 0 ? -(r_ + t_) / total_ : 0.0; }

  // u'd + 1/2 d'Hd + l1 (|v|_1 - |w|_1) with the best delta_b: negative unless w is optimal
  double change() const {
    double sum = 0;
    for (Index k = 0; k < size(); ++k) {
      const double d = v_[k] - w_[k];
      if (d == 0) continue;
      sum += 0.5 * d * (slope_[k] + gradient(k)) + g_.l1 * (std::abs(v_[k]) - std::abs(w_[k]));
    }
    return total_ > 0 ? sum + 0.5 * r_ * delta_b() : sum;
  }

  // Work so far in visited entries.
  double visited() const { return visited_; }

 private:
  Index size() const { return static_cast<Index>(set_.size()); }
  // Derivative of the model's smooth part at v.
  double gradient(Index k) const {
    return slope_[k] + x_.dot(set_[k], s_) + ridge_[k] * (v_[k] - w_[k]) + cross_[k] * delta_b();
  }
  double target(Index k, double gradient) const {
    return soft_threshold(v_[k] - gradient / curvature_[k], g_.l1 / curvature_[k]);
  }

  void shift(Index k, double step) {
    v_[k] += step;
    x_.axpy(set_[k], step, h_, s_);
    t_ += step * cross_[k];
  }

  // One pass of exact coordinate steps, over all columns or over those in use; the root of
  // sum curvature step^2.
  double sweep(bool in_use) {
    double squares = 0;
    for (Index k = 0; k < size(); ++k) {
      if (!(curvature_[k] > 0) || (in_use && v_[k] == 0)) continue;
      const double step = target(k, gradient(k)) - v_[k];
      visited_ += static_cast<double>(x_.nonzeros(set_[k]));
      tick_.row(k);
      if (step == 0) continue;
      visited_ += static_cast<double>(x_.nonzeros(set_[k]));
      shift(k, step);
      squares += curvature_[k] * step * step;
    }
    return std::sqrt(squares);
  }

  double violation() {
    double squares = 0;
    for (Index k = 0; k < size(); ++k) {
      if (!(curvature_[k] > 0)) continue;
      const double step = target(k, slope_[k] + cross_[k] * delta_b()) - v_[k];
      squares += curvature_[k] * step * step;
    }
    return std::sqrt(squares);
  }

  // Conjugate gradients on the columns in use, signs held. Where the step crosses zero: the better
  // of stopping the crossing weights there and of the minimum along the step.
  void accelerate(double precision) {
    std::vector<Index> support;
    for (Index k = 0; k < size(); ++k) {
      if (v_[k] != 0 && curvature_[k] > 0) support.push_back(k);
    }
    const Index m = static_cast<Index>(support.size());
    if (m < 2) return;
    Vec right(m), diagonal(m);
    double entries = 0;
    for (Index k = 0; k < m; ++k) {
      const Index at = support[k];
      right[k] = -gradient(at) - std::copysign(g_.l1, v_[at]);
      diagonal[k] = curvature_[at];
      entries += static_cast<double>(x_.nonzeros(set_[at]));
    }
    visited_ += entries;
    const auto image = [&](const Vec& v) {
      visited_ += 2 * entries;
      return apply(support, v);
    };
    const auto scaled = [&](const Vec& v) { return Vec(v.cwiseQuotient(diagonal)); };
    double enough = 0;
    const auto more = [&](int iteration, double rho) {
      if (iteration == 0) enough = std::max(1e-2 * rho, precision * precision);
      return iteration < patience_ && rho > enough && visited_ < most_ && tick_.in_time();
    };
    const auto [step, residual] = pcg(image, scaled, right, more);
    Vec v(m);
    for (Index k = 0; k < m; ++k) v[k] = v_[support[k]];
    const Vec clipped = up_to_zero(v, step, m);
    const bool inside = clipped == step;
    patience_ = inside ? 2 * patience_ : 20;  // precision pays once the signs have settled
    if (inside) return take(support, step);
    // as long as no sign changes the model is quadratic
    const double by_clipping = 0.5 * clipped.dot(image(clipped)) - right.dot(clipped);
    const auto [length, by_going] =
        beyond_zero(v, step, m, g_.l1, right.dot(step), step.dot(right - residual));
    const Vec straight = length * step;
    take(support, by_clipping < by_going ? clipped : straight);
  }

  void take(const std::vector<Index>& support, const Vec& step) {
    for (Index k = 0; k < step.size(); ++k) {
      const bool to_zero = step[k] == -v_[support[k]];
      shift(support[k], step[k]);
      if (to_zero) v_[support[k]] = 0;
    }
  }

  // H restricted to the support, times a vector
  Vec apply(const std::vector<Index>& support, const Vec& step) const {
    Vec product = Vec::Zero(x_.n()), image(step.size());
    double shift = 0;
    for (Index k = 0; k < step.size(); ++k) {
      x_.axpy(set_[support[k]], step[k], product);
      shift += cross_[support[k]] * step[k];
      tick_.row(k);
    }
    product.array() *= h_.array();
    if (total_ > 0) shift /= total_;
    for (Index k = 0; k < step.size(); ++k) {
      const Index at = support[k];
      image[k] = x_.dot(set_[at], product) - cross_[at] * shift + ridge_[at] * step[k];
      tick_.row(k);
    }
    return image;
  }

  const Columns& x_;
  const std::vector<Index>& set_;
  ElasticNet g_;
  Vec ridge_;
  const Vec& h_;
  Vec w_, v_;
  Vec slope_;  // of the smooth part at w
  double r_;
  Vec curvature_, cross_;  // cross_k = sum_i h_i x_ik
  Vec s_;                  // h (X (v - w))
  double t_ = 0;           // sum_i s_i
  double total_;           // sum_i h_i with a free intercept, else 0
  int patience_ = 20;      // conjugate gradient steps
  double visited_ = 0, most_ = HUGE_VAL;
  Tick& tick_;
};

}  // namespace dualmargin::linear
