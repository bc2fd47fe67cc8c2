// Squared error: phi = (z - y)^2 / 2, conjugate phi*(t) = t y + t^2 / 2. The members: see loss.h.
#pragma once

#include <vector>

#include "base/numeric.h"
#include "loss/loss.h"

namespace dualmargin {

struct Squared : LossDefaults {
  static constexpr Responses responses = Responses::both;
  static constexpr bool dual_shift = true;
  static constexpr Curving curving = Curving::constant;
  static constexpr double reach = HUGE_VAL;

  double gamma() const { return 1; }
  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double slope(double z, double y) const { return z - y; }
  double conjugate(double t, double y) const { return t * y + 0.5 * t * t; }
  double score(double t, double y) const { return y + t; }
  double dual_step(double z, double y, double a, double q) const {
    return (z - y + q * a) / (1 + q);
  }
  double curvature(double, double, double, double q, double) const { return 1 / (1 + q); }
  double excess(double z, double a, double y) const {
    const double off = a - (z - y);
    return 0.5 * off * off;
  }
  double nearest(double a, double /*y*/) const { return a; }
  double tilt(double /*a*/, double /*y*/) const { return 1; }
  double least_curvature(double /*low*/, double /*high*/, double /*y*/) const { return 1; }
  std::vector<SlopePiece> slope_pieces() const { return {{HUGE_VAL, -1, 1}}; }
};

}  // namespace dualmargin
