// Squared error: phi = (z - y)^2 / 2, conjugate phi*(t) = t y + t^2 / 2. The members: see hinge.h.
#pragma once

#include <vector>

#include "base/numeric.h"
#include "loss/hinge.h"

namespace dualmargin {

struct Squared {
  static constexpr bool dual_shift = true;

  double gamma() const { return 1; }
  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double slope(double z, double y) const { return z - y; }
  double conjugate(double t, double y) const { return t * y + 0.5 * t * t; }
  double score(double t, double y) const { return y + t; }
  double dual_step(double z, double y, double a, double q) const {
    return (z - y + q * a) / (1 + q);
  }
  double curvature(double, double, double, double q, double) const { return 1 / (1 + q); }
  std::vector<SlopePiece> slope_pieces() const { return {{HUGE_VAL, -1, 1}}; }
};

}  // namespace dualmargin
