// Squared error: phi = (z - y)^2 / 2, conjugate phi*(t) = t y + t^2 / 2. The members: see loss.h.
#pragma once

#include <vector>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

struct Squared final : LossOf<Squared> {
  static constexpr Responses responses = Responses::both;

  double gamma() const override { return 1; }
  bool dual_shift() const override { return true; }
  Curving curving() const override { return Curving::constant; }
  double reach() const override { return HUGE_VAL; }
  double value(double z, double y) const override { return 0.5 * (z - y) * (z - y); }
  double slope(double z, double y) const override { return z - y; }
  double conjugate(double t, double y) const override { return t * y + 0.5 * t * t; }
  double score(double t, double y) const override { return y + t; }
  double dual_step(double z, double y, double a, double q) const override {
    return (z - y + q * a) / (1 + q);
  }
  double curvature(double, double, double, double q, double) const override { return 1 / (1 + q); }
  double excess(double z, double a, double y) const override {
    const double off = a - (z - y);
    return 0.5 * off * off;
  }
  double tilt(double /*a*/, double /*y*/) const override { return 1; }
  double least_curvature(double /*low*/, double /*high*/, double /*y*/) const override { return 1; }
  std::vector<SlopePiece> slope_pieces() const override { return {{HUGE_VAL, -1, 1}}; }
};

}  // namespace dualmargin
