#include "region/calculus.h"

#include <algorithm>

namespace dualmargin::region {

double Calculus::excess(double z, double a, double y) const {
  return std::max(0.0, model_->excess(z, a, y));
}

double Calculus::least_curvature(double low, double high, double y) const {
  return model_->least_curvature(low, high, y);
}

std::array<double, 2> Calculus::slopes(Block rows, const RowSpan& omega, const RowSpan& z, double t,
                                       const RowSpan& y, bool right) const {
  return model_->slopes(rows, omega, z, t, y, right);
}

}  // namespace dualmargin::region
