// Hinge: phi(z; y) = max(0, 1 - m), m = y z. Not smooth: gamma = 0.
// Conjugate with t = y beta: phi*(t) = beta on -1 <= beta <= 0, infinite elsewhere.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

// phi'(z; +1) = offset + rate z for z up to `until` (and beyond the piece before); HUGE_VAL in the
// last one. Where two pieces do not meet the loss has a kink.
struct SlopePiece {
  double until, offset, rate;
};

// Where the slope of a piecewise linear loss jumps, and by how much.
struct Kink {
  double at, rise;
};

// What every loss provides (z: score, y: label, t and a: dual values, q >= 0: proximal weight)
//   value       phi(z; y)
//   slope       phi'(z; y); at a kink the slope of the side with the larger loss
//   conjugate   phi*(t; y), HUGE_VAL outside its domain
//   score       phi*'(t; y), a score at which phi has the slope t
//   dual_step   argmax_t  t z - phi*(t; y) - q/2 (t - a)^2; for q = 0 this is the slope
//   curvature   d dual_step / dz where t = dual_step(z, y, a, q) is known; at a kink the larger
//   one,
//               so that a Newton matrix is not blind there
//   gamma       phi is 1/gamma-smooth; 0 means not smooth
//   dual_shift  whether the dual domain is all of R, so that duals may be shifted and not only
//   scaled
//   slope_pieces  where the slope is piecewise linear: its pieces for the label +1, for soft.h
//   kinks       of a loss that is piecewise linear: no more than two, of soft labels, too
struct Hinge {
  static constexpr bool dual_shift = false;

  double gamma() const { return 0; }
  double value(double z, double y) const { return std::max(0.0, 1 - y * z); }
  double slope(double z, double y) const { return y * z < 1 ? -y : 0.0; }
  double conjugate(double t, double y) const {
    const double beta = y * t;
    return beta < -1 || beta > 0 ? HUGE_VAL : beta;
  }
  double score(double, double y) const { return y; }
  double dual_step(double z, double y, double a, double q) const {
    const double slack = y * z - 1;
    if (q == 0) return slack < 0 ? -y : slack > 0 ? 0.0 : a;
    return y * std::clamp(y * a + slack / q, -1.0, 0.0);
  }
  double curvature(double z, double y, double a, double q, double) const {
    if (q == 0) return 0;
    const double beta = y * a + (y * z - 1) / q;
    return beta >= -1 && beta < 0 ? 1 / q : 0.0;
  }
  std::vector<SlopePiece> slope_pieces() const { return {{1, -1, 0}, {HUGE_VAL, 0, 0}}; }
  std::array<Kink, 2> kinks(double y) const { return {{{1, 0.5 * (1 + y)}, {-1, 0.5 * (1 - y)}}}; }
};

}  // namespace dualmargin
