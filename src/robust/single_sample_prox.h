// The exact proximal step of one row, the paper's single-sample proximal point update:
// J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, (6),
//
//   (w, b, t) <- argmin over |w|_q <= t of
//     alpha [t epsilon + c/2 |w|^2 + h_i(w, b, t)] + (|w - w_k|^2 + (b - b_k)^2 + (t - t_k)^2) / 2.
//
// With weights (s_1, s_2, s_3) on the pieces of h_i, z = y_i x_i, r = alpha (s_1 - s_2) and m = 1 +
// alpha c, (w, t) is the projection of ((w_k + r z) / m, t_k - alpha epsilon + alpha kappa s_2) in
// the metric diag(m I, 1) onto the epigraph, and b = b_k + r y_i: a free intercept is one more
// coordinate, with a metric of 1 and outside the epigraph.
#pragma once

#include "robust/piece_search.h"
#include "robust/step_weights.h"

namespace dualmargin::robust {

// Weights: DenseWeights or, for q = 2, ScaledWeights.
template <class Weights>
class SingleSampleProx {
 public:
  SingleSampleProx(const RobustSvm& problem, const Solution& start)
      : p_(problem),
        weights_(problem, start.w),
        squares_(problem.rows.squared_norms()),
        b_(start.b),
        t_(start.t) {}

  PieceWeights step(Index i, double alpha) {
    const double m = 1 + alpha * p_.ridge, y = p_.rows.y[i], kappa = p_.flip_cost();
    const double lower = t_ - alpha * p_.radius, score = y * b_, lift = p_.free_intercept;
    const Landing here{weights_.begin(i, squares_[i]) + score, t_};

    double t = 0, force = 0;
    const auto at = [&](double first, double second) {
      const double r = alpha * (first - second);
      t = lower + alpha * kappa * second;
      const double u = weights_.epigraph(r, m, t);
      return Landing{u + score + lift * r, t};
    };
    const auto inside = [&](double pull) {
      const double r = alpha * pull;
      t = 2 / kappa;
      return weights_.ball(r, m, t, force) + score + lift * r;
    };
    // above what rounding does to u and kappa t at the corners
    const double size = 1 + std::abs(here.u) + alpha * (squares_[i] + lift) +
                        kappa * (std::abs(t_) + alpha * (p_.radius + kappa));
    bool interior = false;
    PieceWeights s = PieceSearch(kappa, p_.flips(), 1e-13 * size)(here, at, inside, interior);
    if (interior) {
      // t = 2 / kappa is the sum of what was there, the second piece's lift and the cone's push
      const double r = s.first - s.second;
      const double second = (t - lower - m * force) / (alpha * kappa);
      s.second = std::clamp(second, std::max(0.0, -r), 0.5 * (1 - r));
      s.first = s.second + r;
    }
    weights_.accept();
    t_ = t;
    b_ += lift * alpha * (s.first - s.second) * y;
    return s;
  }

  void store(Solution& s) {
    s.w = weights_.w();
    s.b = b_;
    s.t = t_;
  }

 private:
  const RobustSvm& p_;
  Weights weights_;
  const RowVec& squares_;
  double b_, t_;
};

}  // namespace dualmargin::robust
