// What a loss is: phi(z; y) of a score z and a label y of -1 or 1, or a number. A loss is chosen at
// run time: what stands above it is compiled once, with one virtual call a row or one a range of
// rows, whose loops loss_of.h makes of the formulas of a row.
//
// Every loss provides (t and a: dual values, q >= 0: proximal weight)
//   value       phi(z; y)
//   slope       phi'(z; y); at a kink the slope of the side with the larger loss
//   conjugate   phi*(t; y), HUGE_VAL outside its domain
//   dual_step   argmax_t  t z - phi*(t; y) - q/2 (t - a)^2; for q = 0 this is the slope
//   curvature   d dual_step / dz where t = dual_step(z, y, a, q) is known; at a kink the larger one,
//               so that a Newton matrix is not blind there
//   gamma       phi is 1/gamma-smooth; 0 means not smooth
// one of
//   score       phi*'(t; y), a score at which phi has the slope t
//   dual_piece  phi* around t; of a loss of numbers
// and for statements on the optimum, which are of losses of labels that are certain,
//   excess      phi(z) + phi*(a) - a z as a sum of terms none of which is negative
//   nearest     a within the domain of phi*
//   tilt        h >= 0 such that a + tau h is in the domain, and phi* smooth up to there, for
//               |tau| <= reach
// and what says what it is a loss of:
//   responses   labels, numbers, or both; of labels alone it is one of y z, else one of z - y
//   slope_pieces  of a loss of labels whose slope is piecewise linear: its pieces for the label 1,
//               from which soft.h makes the loss of labels between the classes
//   kinks       of a loss that is piecewise linear: no more than two, of soft labels, too
// Of the rest a loss says only what is otherwise with it.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "base/numeric.h"
#include "rows/row_vec.h"

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

// What is summed for a duality gap, and the sizes of that, which say how much of it can be
// rounding.
struct FenchelSums {
  double value = 0;          // sum omega phi
  double gap = 0;            // sum omega (phi + phi* - t z), every term >= 0 (Fenchel-Young)
  double size = 0;           // sum omega (|phi| + |phi*| + |t z|)
  double slopes = 0;         // sum omega t
  double slope_size = 0;     // sum omega |t|
  double slope_squares = 0;  // sum omega t^2
  double score_size = 0;     // sum omega |z|
};

struct Loss {
  // Rows begin <= i < end, which are weighted by omega.
  struct Block {
    Index begin, end;
  };

  virtual ~Loss() = default;

  virtual double gamma() const = 0;
  virtual double value(double z, double y) const = 0;
  virtual double slope(double z, double y) const = 0;
  virtual double conjugate(double t, double y) const = 0;
  virtual double dual_step(double z, double y, double a, double q) const = 0;
  virtual double curvature(double z, double y, double a, double q, double t) const = 0;
  virtual double score(double t, double y) const { return dual_piece(t, y).score; }
  virtual DualPiece dual_piece(double t, double y) const {
    return {-HUGE_VAL, HUGE_VAL, score(t, y), 0};
  }
  virtual std::array<Kink, 2> kinks(double /*y*/) const { return {}; }
  virtual std::vector<SlopePiece> slope_pieces() const { return {}; }
  // Of z - y alone: a constant may move from the response to a free intercept.
  virtual bool of_residual() const = 0;
  // Whether the dual domain is all of R, so that duals may be shifted and not only scaled.
  virtual bool dual_shift() const { return false; }

  virtual double excess(double z, double a, double y) const {
    return value(z, y) + conjugate(a, y) - a * z;
  }
  virtual double nearest(double a, double /*y*/) const { return a; }
  virtual double tilt(double /*a*/, double /*y*/) const { return 0; }
  virtual double reach() const { return 1; }
  virtual Curving curving() const { return Curving::sudden; }
  // The derivative of that side; a slope without jumps is that of both.
  virtual double one_sided(double z, double y, bool /*right*/) const { return slope(z, y); }
  // phi'' where it exists, at a kink of phi' the larger one; from the score, of a loss that has it
  // without cancellation there.
  virtual double second(double z, double y) const { return curvature(z, y, 0, 0, slope(z, y)); }
  // What phi' rises by at least for each unit of a score within [low, high].
  virtual double least_curvature(double /*low*/, double /*high*/, double /*y*/) const { return 0; }
  // Of a loss of margins the y z at which it is `level` > 0, from above.
  virtual double margin_at(double /*level*/) const {
    return std::numeric_limits<double>::quiet_NaN();
  }

  // sum omega phi(z; y)
  virtual double values(Block, const RowSpan& omega, const RowSpan& z, const RowSpan& y) const = 0;
  // sum omega phi*(theta a; y) and its derivative in theta
  virtual std::array<double, 2> conjugates(Block, const RowSpan& omega, const RowSpan& a,
                                           double theta, const RowSpan& y) const = 0;
  // FenchelSums at t = theta a
  virtual std::array<double, 7> fenchel_sums(Block, const RowSpan& omega, const RowSpan& z,
                                             const RowSpan& a, double theta,
                                             const RowSpan& y) const = 0;
  // slope_i = dual_step(z_i + shift, y_i, a_i, q) and its derivative
  virtual void dual_steps(Block, const RowSpan& z, double shift, const RowSpan& y, const RowSpan& a,
                          double q, RowVec& slope, RowVec& curvature) const = 0;
  // slope_i = phi'(z_i + t d_i) and its derivative, of a smooth loss, and of rows with a weight the sums
  // sum omega slope d and sum omega curvature d^2
  virtual std::array<double, 2> along(Block, const RowSpan& omega, const RowSpan& z,
                                      const RowSpan& d, double t, const RowSpan& y, RowVec& slope,
                                      RowVec& curvature) const = 0;
  // sum omega s and sum omega |s|, s the left or right slope at z + t, of rows with a weight
  virtual std::array<double, 2> slopes(Block, const RowSpan& omega, const RowSpan& z, double t,
                                       const RowSpan& y, bool right) const = 0;

  bool smooth() const { return gamma() > 0; }
  double left(double z, double y) const { return one_sided(z, y, false); }
  double right(double z, double y) const { return one_sided(z, y, true); }
  bool of_margins() const { return !std::isnan(margin_at(1)); }

  // What is known of the interpolation of its slope between two scores. Is its Hessian known along
  // a whole chord, from the one in the middle?
  bool curved() const { return curving() != Curving::sudden; }
  // Is bend() finite, for labels?
  bool bends() const { return curved() || (smooth() && !slope_pieces().empty()); }
  // q with |phi' - its chord| <= th (1 - th) q between the scores z1 and z2 of a row, which are at
  // most dz apart and each off by at most `wander`:
  //   self-concordant, |phi'''| <= phi''    sup |phi'''| dz^2 / 2, of the logistic loss
  //   phi' linear between knots             dz / gamma where a knot lies between
  double bend(double z1, double z2, double y, double dz, double wander) const;
};

using LossPtr = std::shared_ptr<const Loss>;

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
