// Hinge: phi(z; y) = max(0, 1 - m), m = y z. Not smooth: gamma = 0.
// Conjugate with t = y beta: phi*(t) = beta on -1 <= beta <= 0, infinite elsewhere.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

struct Hinge final : LossOf<Hinge> {
  static constexpr Responses responses = Responses::labels;

  double gamma() const override { return 0; }
  double value(double z, double y) const override { return std::max(0.0, 1 - y * z); }
  double slope(double z, double y) const override { return y * z < 1 ? -y : 0.0; }
  double conjugate(double t, double y) const override {
    const double beta = y * t;
    return beta < -1 || beta > 0 ? HUGE_VAL : beta;
  }
  double score(double, double y) const override { return y; }
  double dual_step(double z, double y, double a, double q) const override {
    const double slack = y * z - 1;
    if (q == 0) return slack < 0 ? -y : slack > 0 ? 0.0 : a;
    return y * std::clamp(y * a + slack / q, -1.0, 0.0);
  }
  double curvature(double z, double y, double a, double q, double) const override {
    if (q == 0) return 0;
    const double beta = y * a + (y * z - 1) / q;
    return beta >= -1 && beta < 0 ? 1 / q : 0.0;
  }
  double excess(double z, double a, double y) const override {
    return hinge_excess(-y * a, y * z, 1);
  }
  double nearest(double a, double y) const override { return nearest_in_unit(a, y); }
  double tilt(double a, double y) const override { return tilt_in_unit(a, y); }
  double margin_at(double level) const override { return 1 - level; }
  double one_sided(double z, double y, bool right) const override {
    const double m = y * z;
    return m < 1 || (m == 1 && right == (y < 0)) ? -y : 0.0;
  }
  std::vector<SlopePiece> slope_pieces() const override { return {{1, -1, 0}, {HUGE_VAL, 0, 0}}; }
  std::array<Kink, 2> kinks(double y) const override {
    return {{{1, 0.5 * (1 + y)}, {-1, 0.5 * (1 - y)}}};
  }
};

}  // namespace dualmargin
