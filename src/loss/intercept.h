// The free intercept. Its optimality condition is sum_i omega_i a_i = 0, on the primal side a
// scalar equation for b, on the dual side a constraint that rounding must not be allowed to break.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/numeric.h"
#include "loss/row_loss.h"

namespace dualmargin {

// Where r vanishes on an interval around b (every row sits on a linear piece), its middle: at an
// end the next step of w would run into a kink at once. r(b) evaluates the slopes as a side effect.
template <class R>
double middle_of_zero(R r, double b) {
  const auto edge = [&](double direction) {
    double inside = 0, outside = 1;
    while (r(b + direction * outside) == 0 && outside < 1e12) {
      inside = outside;
      outside *= 2;
    }
    for (int i = 0; i < 40 && outside - inside > 1e-9 * outside; ++i) {
      const double trial = 0.5 * (inside + outside);
      (r(b + direction * trial) == 0 ? inside : outside) = trial;
    }
    return inside;
  };
  const double right = edge(1), left = edge(-1);
  const double middle = b + 0.5 * (right - left);
  return r(middle) == 0 ? middle : b;
}

// Root b of r(b) = sum omega_i slope_i(m_i + b), where slope_i is the dual step (q > 0) or the
// slope of a smooth loss (q = 0); r increases. Newton's method, kept inside a bracket once there is
// one. Leaves the slopes and curvatures at the root.
inline double smooth_intercept(const RowLoss& loss, const Vec& omega, const Vec& margin,
                               const Vec& y, const Vec& a, double q, double b, Vec& slope,
                               Vec& curvature) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  double low = -infinity, high = infinity, stride = 1;
  for (int iteration = 0; iteration < 200; ++iteration) {
    loss.dual_steps(margin, b, y, a, q, slope, curvature);
    const double r = sum_over(margin.size(), [&](Index i) { return omega[i] * slope[i]; });
    const double size =
        sum_over(margin.size(), [&](Index i) { return omega[i] * std::abs(slope[i]); });
    if (r == 0 && omega.dot(curvature) == 0) {
      const auto at = [&](double trial) {
        loss.dual_steps(margin, trial, y, a, q, slope, curvature);
        return sum_over(margin.size(), [&](Index i) { return omega[i] * slope[i]; });
      };
      b = middle_of_zero(at, b);
      at(b);
      break;
    }
    if (std::abs(r) <= rounding * size || !std::isfinite(r)) break;
    (r > 0 ? high : low) = b;
    const double h = omega.dot(curvature);
    double next = h > 0 ? b - r / h : infinity;
    if (!(next > low && next < high) || !std::isfinite(next)) {
      const bool bracketed = std::isfinite(low) && std::isfinite(high);
      next = bracketed ? 0.5 * (low + high) : b - std::copysign(stride, r);
      stride *= 2;
    }
    if (next == b || next == low || next == high) break;
    b = next;
  }
  return b;
}

// The hinge is piecewise linear in b, with soft labels two hinges a row, 1 - z and 1 + z. The
// minimiser is the first kink at which the slope, -(weight of the falling hinges) on the far left,
// is no longer negative.
inline double hinge_intercept(const Vec& omega, const Vec& margin, const Vec& y) {
  struct Kink {
    double at, weight;
  };
  std::vector<Kink> kinks;
  kinks.reserve(margin.size());
  double slope = 0;
  for (Index i = 0; i < margin.size(); ++i) {
    const double falling = 0.5 * omega[i] * (1 + y[i]), rising = 0.5 * omega[i] * (1 - y[i]);
    if (falling > 0) kinks.push_back({1 - margin[i], falling});
    if (rising > 0) kinks.push_back({-1 - margin[i], rising});
    slope -= falling;
  }
  std::sort(kinks.begin(), kinks.end(), [](const Kink& j, const Kink& k) { return j.at < k.at; });
  for (const Kink& kink : kinks) {
    slope += kink.weight;
    if (slope >= 0) return kink.at;
  }
  return kinks.empty() ? 0 : kinks.back().at;
}

// Makes sum omega_i a_i vanish without leaving the domain of phi*: 0 lies in it, so the heavier
// sign is scaled down; where the domain is all of R the weighted mean is subtracted.
inline void balance(const RowLoss& loss, const Vec& omega, Vec& a) {
  const Index n = a.size();
  if (loss.dual_shift()) {
    const double mean = sum_over(n, [&](Index i) { return omega[i] * a[i]; }) / omega.sum();
    a.array() -= mean;
    return;
  }
  const double up = sum_over(n, [&](Index i) { return omega[i] * std::max(a[i], 0.0); });
  const double down = sum_over(n, [&](Index i) { return omega[i] * std::max(-a[i], 0.0); });
  const double up_scale = up > down ? down / up : 1, down_scale = down > up ? up / down : 1;
  for (Index i = 0; i < n; ++i) a[i] *= a[i] > 0 ? up_scale : down_scale;
}

}  // namespace dualmargin
