// What a loss is: phi(z; y) of a score z and a label y of -1 or 1, or a number.
//
// Every loss provides (t and a: dual values, q >= 0: proximal weight)
//   value       phi(z; y)
//   slope       phi'(z; y); at a kink the slope of the side with the larger loss
//   conjugate   phi*(t; y), HUGE_VAL outside its domain
//   score       phi*'(t; y), a score at which phi has the slope t
//   dual_step   argmax_t  t z - phi*(t; y) - q/2 (t - a)^2; for q = 0 this is the slope
//   curvature   d dual_step / dz where t = dual_step(z, y, a, q) is known; at a kink the larger one,
//               so that a Newton matrix is not blind there
//   gamma       phi is 1/gamma-smooth; 0 means not smooth
//   excess      phi(z) + phi*(a) - a z as a sum of terms none of which is negative
//   nearest     a within the domain of phi*
//   tilt        h >= 0 such that a + tau h is in the domain, and phi* smooth up to there, for
//               |tau| <= reach
// and what says what it is a loss of:
//   responses   labels, numbers, or both; of labels alone it is one of y z, else one of z - y
//   slope_pieces  of a loss of labels whose slope is piecewise linear: its pieces for the label 1,
//               from which soft.h makes the loss of labels between the classes
//   dual_piece  of a loss of numbers, as in soft.h
//   kinks       of a loss that is piecewise linear: no more than two, of soft labels, too
// Of what `LossDefaults` has a loss says only what is otherwise with it.
#pragma once

#include <algorithm>
#include <limits>

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

// phi* around t: on [low, high] it is smooth, its slope at t is `score` (the score at which phi has
// the slope t) and its second derivative `curvature`; low = high = t at a kink of phi* and at an end
// of its domain.
struct DualPiece {
  double low, high, score, curvature;
};

enum class Responses { labels, numbers, both };

// How fast a second derivative changes: not at all, by at most e^|s| over a step of s, or at once.
enum class Curving { constant, self_concordant, sudden };

struct LossDefaults {
  // Whether the dual domain is all of R, so that duals may be shifted and not only scaled.
  static constexpr bool dual_shift = false;
  static constexpr Curving curving = Curving::sudden;
  static constexpr double reach = 1;

  // What phi' rises by at least for each unit of a score within [low, high].
  static double least_curvature(double /*low*/, double /*high*/, double /*y*/) { return 0; }
  // Of a loss of margins the y z at which it is `level` > 0, from above.
  static double margin_at(double /*level*/) { return std::numeric_limits<double>::quiet_NaN(); }
};

template <class L>
constexpr bool of_numbers = L::responses == Responses::numbers;
// Of z - y alone: a constant may move from the response to a free intercept.
template <class L>
constexpr bool of_residual = L::responses != Responses::labels;

// alpha (m - 1)_+ + (1 - alpha) (low - m)_+: what the excess of a hinge has of its flat parts, with
// alpha = -y a and m = y z.
inline double hinge_excess(double alpha, double m, double low) {
  return alpha * std::max(0.0, m - 1) + (1 - alpha) * std::max(0.0, low - m);
}
// Of duals with -1 <= y a <= 0.
inline double nearest_in_unit(double a, double y) { return -y * std::clamp(-y * a, 0.0, 1.0); }
inline double tilt_in_unit(double a, double y) {
  const double alpha = std::clamp(-y * a, 0.0, 1.0);
  return alpha * (1 - alpha);
}

}  // namespace dualmargin
