#include "algebra/line_search.h"

#include <cmath>

namespace dualmargin {

double exact_step(double slope_at_zero, FunctionRef<LineSlope(double)> slope_at) {
  if (!(slope_at_zero < 0)) return 0;
  const double flat = -0.1 * slope_at_zero;
  double low = 0, high = HUGE_VAL, t = 1;
  for (int iteration = 0; iteration < 60; ++iteration) {
    LineSlope d = slope_at(t);
    if (d.left <= flat && d.right >= -flat) {
      if (d.left <= 0) return t;
      // past the minimum a small slope is no proof of descent; F(t) - F(0) is at most
      // t/2 (slope at t/2 + slope at t)
      const LineSlope middle = slope_at(t / 2);
      if (middle.right + d.right < 0) return t;
      high = t;
      t /= 2;
      d = middle;
    }
    (d.right < 0 ? low : high) = t;
    constexpr double closed = 1e-12;  // nothing to choose from is left
    if (std::isfinite(high) && high - low <= closed * high) break;
    const double next = t - d.right / d.curvature;
    if (next > low && next < high && next <= 4 * t) {
      t = next;
    } else {
      t = std::isfinite(high) ? 0.5 * (low + high) : 4 * t;
    }
  }
  return low;
}

}  // namespace dualmargin
