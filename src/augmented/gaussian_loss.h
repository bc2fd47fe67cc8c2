// Means of a loss of the label +1 under a normal score, E phi(m + tau e) with e ~ N(0, 1), and of
// its first two derivatives. tau = 0 gives the loss itself, with a second derivative of 0, which is
// then multiplied by 0.
#pragma once

#include <algorithm>
#include <vector>

#include "core/normal_quantile.h"
#include "loss/logistic.h"
#include "loss/slope_piece.h"

namespace dualmargin {

struct LossMeans {
  double value = 0, slope = 0, curvature = 0;
  // += weight f
  void add(double weight, const LossMeans& f) {
    value += weight * f.value;
    slope += weight * f.slope;
    curvature += weight * f.curvature;
  }
};

// A loss whose slope is piecewise linear. On a piece phi is its Taylor polynomial around m, and
// with A and B the ends of the piece in units of tau from m
//
//   P = \int_A^B dN,   D = \int_A^B e dN = N'(A) - N'(B),   \int_A^B e^2 dN = P + A N'(A) - B
//   N'(B).
template <class Loss>
class GaussianPieces {
 public:
  explicit GaussianPieces(const Loss& loss) : loss_(loss) {
    double from = -HUGE_VAL;
    for (const SlopePiece& given : loss.slope_pieces()) {
      // around an end, so that a polynomial with a zero there is accurate near it
      const double around = std::isfinite(from)          ? from
                            : std::isfinite(given.until) ? given.until
                                                         : 0.0;
      const double slope = given.offset + given.rate * around;
      if (!pieces_.empty()) {
        const Piece& last = pieces_.back();
        pieces_.back().jump = slope - (last.slope + last.rate * (from - last.around));
      }
      pieces_.push_back({from, given.until, around, loss.value(around, 1), slope, given.rate, 0});
      from = given.until;
    }
  }

  LossMeans at(double m, double tau) const {
    if (!(tau > 0)) return {loss_.value(m, 1), loss_.slope(m, 1), 0};
    LossMeans mean;
    for (const Piece& piece : pieces_) {
      const double A = (piece.from - m) / tau, B = (piece.until - m) / tau;
      const double P = A > 0 ? normal_probability(-A) - normal_probability(-B)
                             : normal_probability(B) - normal_probability(A);
      const double density = normal_density(B), D = normal_density(A) - density;
      const double d = m - piece.around;
      const double value = piece.value + d * (piece.slope + 0.5 * piece.rate * d);
      const double slope = piece.slope + piece.rate * d;
      mean.value +=
          value * P + tau * slope * D + 0.5 * tau * tau * piece.rate * (P + moment(A) - moment(B));
      mean.slope += slope * P + tau * piece.rate * D;
      mean.curvature += piece.rate * P + piece.jump * density / tau;
    }
    return mean;
  }

 private:
  // phi(z; 1) = value + slope (z - around) + rate/2 (z - around)^2 for from < z < until, where
  // phi' jumps
  struct Piece {
    double from, until, around, value, slope, rate, jump;
  };
  static double moment(double x) { return std::abs(x) < 40 ? x * normal_density(x) : 0.0; }

  Loss loss_;
  std::vector<Piece> pieces_;
};

// The logistic loss, by the trapezium rule, which is exponentially accurate for analytic functions
// that decay (L. N. Trefethen and J. A. C. Weideman 2014, SIAM Review 56, 385-458,
// doi:10.1137/130932132): with poles at distance pi from the real line and N'(x / tau) / tau, which
// grows like exp(pi^2 / (2 tau^2)) up to there, the error of spacing h is of the order
//
//   exp(-2 pi^2 / h + pi^2 / (2 tau^2)),  1e-15 for h = 1/2 and tau >= 1.
//
// Where tau is below 1 the nodes are spaced in e, with 1/2 tau for h. Where it is above, the loss
// is far from zero in many nodes, but not its difference from s G(-x / s), G(t) = t N(t) + N'(t),
// whose mean is that with sqrt(s^2 + tau^2) for s. It decays like exp(-|x|), and its values at the
// nodes do not depend on m and tau.
class GaussianLogistic {
 public:
  GaussianLogistic() {
    for (Index k = -reach; k <= reach; ++k) {
      // an even function, whose values for x > 0 have no cancellation
      LossMeans rest = plain(h * std::abs(k));
      rest.add(-1, probit(h * std::abs(k), s));
      if (k < 0) rest.slope = -rest.slope;
      rest_.push_back(rest);
    }
    for (Index k = -width; k <= width; ++k) weights_.push_back(h * normal_density(h * k));
  }

  LossMeans at(double m, double tau) const {
    LossMeans sum;
    if (tau <= 1) {
      for (Index k = -width; k <= width; ++k) {
        sum.add(weights_[k + width], plain(m + tau * h * k));
      }
      return sum;
    }
    sum = probit(m, std::hypot(s, tau));
    const Index last = node(m / h + width * tau);
    for (Index k = node(m / h - width * tau); k <= last; ++k) {
      sum.add(h / tau * normal_density((h * k - m) / tau), rest_[k + reach]);
    }
    return sum;
  }

 private:
  static constexpr double h = 0.5, s = 1.7;
  static constexpr Index width = 17, reach = 76;  // in units of h: N'(8.5), exp(-38)

  static Index node(double x) {
    return static_cast<Index>(std::clamp(x, -1.0 * reach, 1.0 * reach));
  }
  static LossMeans plain(double m) {
    const double e = std::exp(-std::abs(m)), p = e / (1 + e);
    return {std::log1p(e) + std::max(0.0, -m), m >= 0 ? -p : p - 1, p / (1 + e)};
  }
  static LossMeans probit(double m, double r) {
    const double t = -m / r, p = normal_probability(t), density = normal_density(t);
    return {r * (t * p + density), -p, density / r};
  }
  std::vector<LossMeans> rest_;
  std::vector<double> weights_;
};

template <class Loss>
GaussianPieces<Loss> under_normal_noise(const Loss& loss) {
  return GaussianPieces<Loss>(loss);
}
inline GaussianLogistic under_normal_noise(const Logistic&) { return GaussianLogistic(); }

}  // namespace dualmargin
