// Losses with soft labels y in [-1, 1],
//
//   \phi(z; y) = p \phi_0(z) + q \phi_0(-z),   p = \frac{1 + y}{2},  q = \frac{1 - y}{2},
//
// with \phi_0 the loss of the label +1: the mixup loss of G. Obi, A. Saito, Y. Sasaki, T. Kato
// (2025), Linearly Convergent Mixup Learning, arXiv:2501.07794, (2). Its conjugate is an infimal
// convolution, (6), but needs no search: the slope of phi is piecewise linear where that of phi_0
// is, so both it and its inverse can be read off the pieces; for the logistic loss
// \phi(z; y) = \log(1 + e^{-z}) + q z is a loss of the label +1 tilted by q.
//
// The members are explained in loss.h.
#pragma once

#include <algorithm>
#include <vector>

#include "loss/logistic.h"
#include "loss/loss_of.h"

namespace dualmargin {

template <class L>
class Soft final : public LossOf<Soft<L>> {
 public:
  static constexpr Responses responses = Responses::labels;

  explicit Soft(const L& loss) : loss_(loss) {
    const std::vector<SlopePiece> pieces = loss.slope_pieces();
    std::vector<double> knots;
    for (const SlopePiece& piece : pieces) {
      if (piece.until == HUGE_VAL) continue;
      knots.push_back(piece.until);
      knots.push_back(-piece.until);
    }
    std::sort(knots.begin(), knots.end());
    knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
    knots.push_back(HUGE_VAL);
    double from = -HUGE_VAL;
    for (const double until : knots) {
      const double inside = middle(from, until);
      const SlopePiece &plus = around(pieces, inside), &minus = around(pieces, -inside);
      intervals_.push_back({from, until, plus, minus});
      from = until;
    }
  }

  double gamma() const override { return loss_.gamma(); }
  std::array<Kink, 2> kinks(double y) const override { return loss_.kinks(y); }
  double value(double z, double y) const override {
    const double p = 0.5 * (1 + y), q = 0.5 * (1 - y);
    return (p > 0 ? p * loss_.value(z, 1) : 0.0) + (q > 0 ? q * loss_.value(-z, 1) : 0.0);
  }
  double slope(double z, double y) const override {
    for (const Interval& j : intervals_) {
      if (z < j.until) return inside(j.line(y).at(z), y);
    }
    return 0;
  }
  double conjugate(double t, double y) const override {
    const DualPiece piece = dual_piece(t, y);
    return t < piece.low || t > piece.high ? HUGE_VAL : t * piece.score - value(piece.score, y);
  }

  // s + q phi'(s) = z + q a has one root s; t = phi'(s) = (z + q a - s) / q.
  double dual_step(double z, double y, double a, double q) const override {
    const double w = z + q * a;
    double below = -HUGE_VAL;  // the slope left of the interval
    for (const Interval& j : intervals_) {
      const Line line = j.line(y);
      if (std::isfinite(j.from)) {
        const double above = line.at(j.from);
        // w at or left of this interval: the root is its knot, where phi' jumps
        if (w <= j.from + q * above) {
          const double t = q == 0 ? a : (w - j.from) / q;
          return inside(std::max(below, std::min(t, above)), y);
        }
      }
      const double s = (w - q * line.offset) / (1 + q * line.rate);
      if (s < j.until) return inside(line.at(s), y);
      below = line.at(j.until);
    }
    return below;
  }
  double curvature(double z, double y, double a, double q, double) const override {
    const double w = z + q * a;
    for (const Interval& j : intervals_) {
      const Line line = j.line(y);
      if (std::isfinite(j.from) && w <= j.from + q * line.at(j.from)) return q > 0 ? 1 / q : 0.0;
      if ((w - q * line.offset) / (1 + q * line.rate) < j.until) {
        return line.rate / (1 + q * line.rate);
      }
    }
    return 0;
  }

  DualPiece dual_piece(double t, double y) const override {
    double below = -HUGE_VAL;
    for (const Interval& j : intervals_) {
      const Line line = j.line(y);
      const double left = std::isfinite(j.from) ? line.at(j.from)
                          : line.rate > 0       ? -HUGE_VAL
                                                : line.offset;
      if (t < left) {
        // inside a jump of phi' at the knot, or left of the domain
        if (!std::isfinite(j.from)) return {left, left, 0, 0};
        return {below, left, j.from, 0};
      }
      const double right = std::isfinite(j.until) ? line.at(j.until)
                           : line.rate > 0        ? HUGE_VAL
                                                  : line.offset;
      if (t <= right && line.rate > 0) {
        return {left, right, (t - line.offset) / line.rate, 1 / line.rate};
      }
      if (t <= right) return {t, t, std::isfinite(j.until) ? j.until : finite(j.from), 0};
      below = right;
    }
    return {below, below, 0, 0};
  }

 private:
  struct Line {
    double offset, rate;
    double at(double z) const { return rate == 0 ? offset : offset + rate * z; }
  };
  struct Interval {
    double from, until;
    SlopePiece plus, minus;  // the pieces that hold z and -z
    Line line(double y) const {
      const double p = 0.5 * (1 + y), q = 0.5 * (1 - y);
      return {p * plus.offset - q * minus.offset, p * plus.rate + q * minus.rate};
    }
  };

  // Rounding must not carry a slope out of the domain of phi*.
  double inside(double t, double y) const {
    const Line first = intervals_.front().line(y), last = intervals_.back().line(y);
    if (first.rate == 0) t = std::max(t, first.offset);
    if (last.rate == 0) t = std::min(t, last.offset);
    return t;
  }
  static double finite(double z) { return std::isfinite(z) ? z : 0.0; }
  static double middle(double from, double until) {
    if (std::isfinite(from) && std::isfinite(until)) return 0.5 * (from + until);
    return std::isfinite(from) ? from + 1 : std::isfinite(until) ? until - 1 : 0.0;
  }
  static const SlopePiece& around(const std::vector<SlopePiece>& pieces, double z) {
    for (const SlopePiece& piece : pieces) {
      if (z < piece.until) return piece;
    }
    return pieces.back();
  }

  L loss_;
  std::vector<Interval> intervals_;
};

// phi(z; y) = phi(z; 1) + q z, so phi*(t; y) = phi*(t - q; 1). A label that is certain is that of
// the loss itself: beside q = 1 a small slope would lose its digits.
template <>
class Soft<Logistic> final : public LossOf<Soft<Logistic>> {
 public:
  static constexpr Responses responses = Responses::labels;

  explicit Soft(const Logistic& loss) : loss_(loss) {}

  double gamma() const override { return loss_.gamma(); }
  double value(double z, double y) const override {
    // log(1 + e^-|z|) and a line, neither of them negative
    const double q = tilt(y);
    return loss_.value(std::abs(z), 1) + (z > 0 ? q * z : (q - 1) * z);
  }
  double slope(double z, double y) const override {
    return certain(y) ? loss_.slope(z, y) : loss_.slope(z, 1) + tilt(y);
  }
  double conjugate(double t, double y) const override {
    return certain(y) ? loss_.conjugate(t, y) : loss_.conjugate(t - tilt(y), 1);
  }
  double dual_step(double z, double y, double a, double q) const override {
    return certain(y) ? loss_.dual_step(z, y, a, q)
                      : loss_.dual_step(z, 1, a - tilt(y), q) + tilt(y);
  }
  double curvature(double z, double y, double a, double q, double t) const override {
    return certain(y) ? loss_.curvature(z, y, a, q, t)
                      : loss_.curvature(z, 1, a - tilt(y), q, t - tilt(y));
  }
  DualPiece dual_piece(double t, double y) const override {
    const double low = tilt(y) - 1, high = tilt(y), p = high - t;
    if (!(p > 0 && p < 1)) return {p > 0 ? low : high, p > 0 ? low : high, 0, 0};
    return {low, high, std::log((1 - p) / p), 1 / (p * (1 - p))};
  }

 private:
  static bool certain(double y) { return std::abs(y) == 1; }
  static double tilt(double y) { return 0.5 * (1 - y); }

  Logistic loss_;
};

// A regression loss, a function of z - y. Only the pieces of its conjugate are those of a soft
// label, phi(z; y) = phi_0(z - y + 1; 1): beside the 1 a small residual would lose its digits.
template <class L>
class Residual final : public LossOf<Residual<L>> {
 public:
  static constexpr Responses responses = Responses::both;

  explicit Residual(const L& loss) : loss_(loss), soft_(loss) {}

  double gamma() const override { return loss_.gamma(); }
  double value(double z, double y) const override { return loss_.value(z, y); }
  double slope(double z, double y) const override { return loss_.slope(z, y); }
  double conjugate(double t, double y) const override { return loss_.conjugate(t, y); }
  double dual_step(double z, double y, double a, double q) const override {
    return loss_.dual_step(z, y, a, q);
  }
  double curvature(double z, double y, double a, double q, double t) const override {
    return loss_.curvature(z, y, a, q, t);
  }
  DualPiece dual_piece(double t, double y) const override {
    DualPiece piece = soft_.dual_piece(t, 1);
    // a residual of zero has the slope zero, and it lies on the one piece that is not flat
    const bool sloped = piece.low < piece.high && piece.curvature > 0;
    piece.score = sloped ? y + t * piece.curvature : piece.score + (y - 1);
    return piece;
  }

 private:
  L loss_;
  Soft<L> soft_;
};

}  // namespace dualmargin
