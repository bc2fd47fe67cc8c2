// g(w) = l1 |w|_1 + l2/2 |w|^2, with l1 = lambda mixture and l2 = lambda (1 - mixture); ridge is
// l1 = 0. Conjugate: g*(v) = |S(v, l1)|^2 / (2 l2); for l2 = 0 it is the indicator of
// |v|_inf <= l1.
//
// Columns may have terms of their own: a factor f_j of l1, and bounds that hold 0, within which w_j
// lies,
//
//   g_j(w) = l1 f_j |w| + l2/2 w^2 for lower_j <= w <= upper_j,
//   w = grad g_j*(v) = S(v, l1 f_j) / l2, cut off at the bounds,
//   g_j*(v) = S(v, l1 f_j) w - l2/2 w^2.
//
// For l2 = 0 that is a bound, or no number where |v| > l1 f_j and there is none on that side.
//
// A factor of 0 is that of a column without a penalty: g_j = 0, l2 included, and g_j* is the
// indicator of v = 0. That v_j is 0, but for a rounding, is seen to where dual points are made
// (linear/free_columns.h); here g_j* is 0.
#pragma once

#include <algorithm>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

// Each empty where no column has one. free: the columns whose factor is 0.
struct ColumnTerms {
  Vec factor, lower, upper;
  std::vector<Index> free{};

  bool any() const { return factor.size() > 0 || bounded(); }
  bool bounded() const { return lower.size() > 0; }
};

struct ElasticNet {
  double l1 = 0, l2 = 0;
  const ColumnTerms* columns = nullptr;  // null: all alike

  static ElasticNet from(double lambda, double mixture) {
    return {lambda * mixture, lambda * (1 - mixture)};
  }

  // Of one weight vector, or of several alike one after the other.
  double value(const Eigen::Ref<const Vec>& w) const;
  double value(Index j, double w) const {
    if (columns == nullptr) return value(w);
    return w < lower(j) || w > upper(j) ? HUGE_VAL
                                        : l1_of(j) * std::abs(w) + 0.5 * l2_of(j) * w * w;
  }
  double value(double w) const { return l1 * std::abs(w) + 0.5 * l2 * w * w; }

  double conjugate(const Eigen::Ref<const Vec>& v) const;
  double conjugate(Index j, double v) const {
    return columns == nullptr ? conjugate(v) : own_conjugate(j, v);
  }
  double conjugate(double v) const {
    const double s = soft_threshold(v, l1);
    return s == 0 ? 0.0 : s * s / (2 * l2);
  }

  // The share in a duality gap: g(w) + g*(-u) + u'w.
  double gap(const Eigen::Ref<const Vec>& w, const Eigen::Ref<const Vec>& u) const;
  double gap(Index j, double w, double u) const {
    return free(j) ? 0.0 : value(j, w) + conjugate(j, -u) + u * w;
  }
  double gap(double w, double u) const { return value(w) + conjugate(-u) + u * w; }

  // grad g*(v) = S(v, l1) / l2: the primal weight that belongs to the dual sum v.
  double grad_conjugate(double v) const { return soft_threshold(v, l1) / l2; }
  template <class W>
  typename W::PlainObject grad_conjugate(const W& v) const {
    return each(v, [&](Index j, double x) { return grad_conjugate(j, x); });
  }
  double grad_conjugate(Index j, double v) const {
    if (columns == nullptr) return grad_conjugate(v);
    if (free(j)) return 0;
    const double s = soft_threshold(v, l1_of(j));
    return s == 0 ? 0.0 : nearest(j, l2 > 0 ? s / l2 : std::copysign(HUGE_VAL, s));
  }

  // argmin_w g(w) + (w - v)^2 / (2 step)
  double prox(double v, double step) const {
    return soft_threshold(v, step * l1) / (1 + step * l2);
  }
  double prox(Index j, double v, double step) const {
    return nearest(j, soft_threshold(v, step * l1_of(j)) / (1 + step * l2_of(j)));
  }
  // Of all weights: a column for each class.
  template <class W>
  typename W::PlainObject prox(const W& v, double step) const {
    return each(v, [&](Index j, double x) { return prox(j, x, step); });
  }

  // Of a column.
  double factor(Index j) const { return has_factors() ? columns->factor[j] : 1.0; }
  double l1_of(Index j) const { return l1 * factor(j); }
  double l2_of(Index j) const { return free(j) ? 0.0 : l2; }
  bool free(Index j) const { return has_factors() && columns->factor[j] == 0; }
  bool any_free() const { return columns != nullptr && !columns->free.empty(); }
  double lower(Index j) const { return bounded() ? columns->lower[j] : -HUGE_VAL; }
  double upper(Index j) const { return bounded() ? columns->upper[j] : HUGE_VAL; }
  bool bounded() const { return columns != nullptr && columns->bounded(); }
  // Within the bounds.
  double nearest(Index j, double w) const {
    return bounded() ? std::clamp(w, columns->lower[j], columns->upper[j]) : w;
  }
  template <class W>
  typename W::PlainObject nearest(const W& w) const {
    return each(w, [&](Index j, double x) { return nearest(j, x); });
  }

  double strong_convexity() const { return any_free() ? 0.0 : l2; }

 private:
  double own_conjugate(Index j, double v) const;
  template <class W, class F>  // f(j, w_j)
  static typename W::PlainObject each(const W& w, F f) {
    typename W::PlainObject made = w;
    for (Index c = 0; c < made.cols(); ++c) {
      for (Index j = 0; j < made.rows(); ++j) made(j, c) = f(j, made(j, c));
    }
    return made;
  }
  bool has_factors() const { return columns != nullptr && columns->factor.size() > 0; }
};

}  // namespace dualmargin
