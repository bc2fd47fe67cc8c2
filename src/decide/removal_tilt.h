// A free intercept: the problem without a row, tilted by the score of that row (region/tilt.h), for
// all rows at once from one pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rounding.h"
#include "base/slack.h"
#include "base/square.h"
#include "decide/fitted.h"

namespace dualmargin::decide {

// Sums of Fenchel-Young terms at a + tau h for a few tau. They are convex in tau, so chords are
// above them.
class TiltedSums {
 public:
  // count: of tau > 0, and as many below
  template <class Fit>
  TiltedSums(const Fit& fit, const RowVec& h, int count) {
    for (int k = -count; k <= count; ++k) {
      const double size = std::pow(10.0, -5 + 5.0 * (std::abs(k) - 1) / (count - 1));
      tau_.push_back(k == 0 ? 0.0 : k < 0 ? -size : size);
    }
    for (const double tau : tau_) {
      sum_.push_back(region::tilted_excess(fit.problem, fit.pair, h, tau));
    }
  }
  double above(double tau) const;  // |tau| <= 1

 private:
  std::vector<double> tau_, sum_;
};

// The centre c of a tilt: |x_i - c|^2 from above, (x_i - c)'e and (x_i - c)'w. of_shift: the
// rounding of c, in units of its weights.
struct TiltPlace {
  RowVec squares, along, score;
  double of_shift;
};
struct ColumnPlace : TiltPlace {
  Vec centre, stored;

  // Of the last product in the square, beside what all its terms lose.
  double lost_in_square(Index, double) const { return 0; }

  // g(w) + g*(-v) + v'w with an l1 part
  double net(const Fitted& fit, Index i, double kappa, double shift) const;
};
ColumnPlace tilt_place(const Fitted& fit, const region::TiltMass& mass, const Residual& r,
                       Tick& tick);

// A free intercept. For T of either sign a' = a + tau h with a'_i = 0 has sum omega a' = T: that is
// a dual point of the problem without row i and with its score tilted by T, so f(x_i) is at most
// z_i + [sum_{j != i} omega_j FY(z_j, a'_j) + |kappa_i w + U - tau K (x_i - c)|^2/(2 kappa_i)]/T
// for T > 0, and at least the same for T < 0. K and c: weight and mean of the rows by omega h.
template <class Fit>
void tilted_removal(const Fit& fit, Ends& ends, Tick& tick) {
  const auto& pair = fit.pair;
  const region::TiltMass mass = region::tilt_mass(fit.problem, pair, [](Index) { return true; });
  if (!mass.usable()) return;
  const double K = fit.W() * mass.mean;
  const auto r = residual_of(fit, tick);
  const auto at = tilt_place(fit, mass, r, tick);
  const TiltedSums sums(fit, mass.h, 12);
  const double all = std::max(fit.W() * pair.mean_excess, rounding::dust);
  const auto look = [&](Index i) {
    const double omega = fit.problem.omega(i), kappa = fit.kappa_without(i);
    const double out = omega * pair.a[i], less = fit.kappa() - kappa;
    const double rest = K - omega * mass.h[i], square = at.squares[i];
    if (!(kappa > 0 && rest > rounding::slack * K)) return;
    const auto penalty = [&](double shift) {
      if constexpr (Fit::by_columns) {
        if (fit.problem.g.l1 > 0) return at.net(fit, i, kappa, shift);
      }
      const double size = r.square + less * less * r.w_square + shift * shift * square;
      const double e2 =
          size - 2 * less * r.own - 2 * shift * at.along[i] + 2 * less * shift * at.score[i];
      const double e = std::sqrt(square_above(e2, r.lost_in_square(i, less, shift, size) +
                                                      at.lost_in_square(i, less * shift))) +
                       r.rounding + std::abs(shift) * at.of_shift;
      return e * e / (2 * kappa);
    };
    const double sizes = std::sqrt(all * kappa / std::max(square, 1e-300));
    for (const double base : {std::abs(out), sizes}) {
      for (const double share : {0.25, 0.5, 1.0, 2.0, 4.0}) {
        for (const double side : {-1.0, 1.0}) {
          const double T = side * share * base, tau = (T + out) / rest;
          if (!(std::isfinite(tau) && std::abs(tau) <= 1) || T == 0) continue;
          const double bound =
              (sums.above(tau) + penalty(tau * K)) / std::abs(T) * rounding::raised +
              pair.z_rounding[i];
          if (std::isnan(bound)) continue;
          if (side > 0) ends.intersect(i, {-HUGE_VAL, pair.z[i] + bound});
          if (side < 0) ends.intersect(i, {pair.z[i] - bound, HUGE_VAL});
        }
      }
    }
  };
  fit.problem.rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) look(i);
      },
      tick);
}

}  // namespace dualmargin::decide
