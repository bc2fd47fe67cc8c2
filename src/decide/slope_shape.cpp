#include "decide/slope_shape.h"

#include <algorithm>

#include "base/numeric.h"

namespace dualmargin::decide {

double SlopeShape::bend(double z1, double z2, double y, double dz, double wander) const {
  if (kind_ == Kind::logistic) return third_derivative(z1, z2, wander) * dz * dz / 2;
  if (kind_ == Kind::straight) return 0;
  if (kind_ == Kind::other) return HUGE_VAL;
  const double low = std::min(y * z1, y * z2) - wander, high = std::max(y * z1, y * z2) + wander;
  const bool crosses = std::any_of(knots_.begin(), knots_.end(),
                                   [&](double knot) { return low <= knot && knot <= high; });
  return crosses ? dz / gamma_ : 0;
}

double SlopeShape::third_derivative(double z1, double z2, double wander) {
  const double peak = std::log(2 + std::sqrt(3.0)), most = 1 / (6 * std::sqrt(3.0));
  const double least = std::min(std::abs(z1), std::abs(z2)) - wander;
  const double largest = std::max(std::abs(z1), std::abs(z2)) + wander;
  // both signs: a peak lies between if the larger |z| is beyond it
  if ((least <= peak || (z1 < 0) != (z2 < 0)) && largest >= peak) return most;
  return std::max(third_at(z1, wander), third_at(z2, wander));
}

double SlopeShape::third_at(double z, double wander) {
  const double size = std::abs(z), e = std::exp(-size), curvature = e / ((1 + e) * (1 + e));
  return curvature * std::exp(wander) * std::min(1.0, std::tanh(size / 2) + wander / 2);
}

}  // namespace dualmargin::decide
