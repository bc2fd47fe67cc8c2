#include "region/offset.h"

#include <algorithm>
#include <limits>

namespace dualmargin::region {

Interval Interval::intersect(const Interval& other) const {
  return {std::max(low, other.low), std::min(high, other.high)};
}

namespace {

// holds: true on a half line; the outer side of its end. direction 1: it holds on (-inf, end]; -1:
// mirrored.
double bisect_outer(FunctionRef<bool(double)> holds, double size, double direction) {
  double out = size;
  for (int k = 0; k < 40 && holds(direction * out); ++k) out *= 2;
  if (holds(direction * out)) return direction * HUGE_VAL;
  double inside = -out;
  for (int k = 0; k < 40 && !holds(direction * inside); ++k) inside *= 2;
  if (!holds(direction * inside)) return direction * out;
  for (int k = 0; k < 64; ++k) {
    const double middle = 0.5 * (inside + out);
    if (middle == inside || middle == out) break;
    (holds(direction * middle) ? inside : out) = middle;
  }
  return direction * out;
}

}  // namespace

Interval offset_by(
    FunctionRef<std::array<double, 2>(const RowVec& scores, double t, bool right)> sums,
    const RowVec& low, const RowVec& high, double size) {
  if (!std::isfinite(size)) return {};
  constexpr double small = 1e-13;
  const auto may_be_above = [&](double t) {
    const auto s = sums(high, t, true);
    return s[0] >= -small * s[1];
  };
  const auto may_be_below = [&](double t) {
    const auto s = sums(low, t, false);
    return s[0] <= small * s[1];
  };
  return {bisect_outer(may_be_above, size, -1), bisect_outer(may_be_below, size, 1)};
}

double largest_size(const RowSums& over, const RowSpan& omega, const RowSpan& y, const RowSpan& low,
                    const RowSpan& high) {
  const double most = over.max([&](Index i) {
    if (!(omega[i] > 0)) return 0.0;
    const double size = std::max({std::abs(low[i]), std::abs(high[i]), std::abs(y[i])});
    return std::isnan(size) ? HUGE_VAL : size;
  });
  return 3 + most;
}

Interval offset_interval(const Loss& phi, const RowSums& over, const RowSpan& omega,
                         const RowSpan& y, const RowVec& low, const RowVec& high) {
  const auto sums = [&](const RowVec& z, double t, bool right) {
    return over.sum_blocks([&](Index begin, Index end) {
      return phi.slopes({begin, end}, omega, z, t, y, right);
    });
  };
  return offset_by(sums, low, high, largest_size(over, omega, y, low, high));
}

}  // namespace dualmargin::region
