// g(w) = l1 |w|_1 + l2/2 |w|^2, with l1 = lambda mixture and l2 = lambda (1 - mixture); ridge is
// l1 = 0. Conjugate: g*(v) = |S(v, l1)|^2 / (2 l2); for l2 = 0 it is the indicator of
// |v|_inf <= l1.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

struct ElasticNet {
  double l1 = 0, l2 = 0;

  static ElasticNet from(double lambda, double mixture) {
    return {lambda * mixture, lambda * (1 - mixture)};
  }

  double value(const Vec& w) const {
    return sum_over(w.size(), [&](Index j) { return value(w[j]); });
  }
  double value(double w) const { return l1 * std::abs(w) + 0.5 * l2 * w * w; }

  double conjugate(const Vec& v) const {
    return sum_over(v.size(), [&](Index j) { return conjugate(v[j]); });
  }
  double conjugate(double v) const {
    const double s = soft_threshold(v, l1);
    return s == 0 ? 0.0 : s * s / (2 * l2);
  }

  // The share in a duality gap: g(w) + g*(-u) + u'w.
  double gap(const Vec& w, const Vec& u) const {
    return sum_over(w.size(), [&](Index j) { return gap(w[j], u[j]); });
  }
  double gap(double w, double u) const { return value(w) + conjugate(-u) + u * w; }

  // grad g*(v) = S(v, l1) / l2: the primal weight that belongs to the dual sum v.
  double grad_conjugate(double v) const { return soft_threshold(v, l1) / l2; }
  Vec grad_conjugate(const Vec& v) const {
    return v.unaryExpr([this](double x) { return grad_conjugate(x); });
  }

  // argmin_w g(w) + (w - v)^2 / (2 step)
  double prox(double v, double step) const {
    return soft_threshold(v, step * l1) / (1 + step * l2);
  }

  double strong_convexity() const { return l2; }
};

}  // namespace dualmargin
