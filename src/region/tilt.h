// A free intercept by tilting the problem towards the score of one row x (ridge): for T > 0 the
// dual point a + tau h, tau = T / sum omega h, of which sum omega (a + tau h) = T, is one of P -
// (T/W) f(x), so the optimal score is at most
//
//   f(x) + [sum_i omega_i FY(z_i, a_i + tau h_i) + |e - T (x - c)|^2 / (2 kappa)] / T,
//
// kappa = mu W, e = kappa w + sum omega a x, c = sum omega h x / sum omega h; T < 0 gives the lower
// end. The rows enter by the sums for a few T alone.
#pragma once

#include <vector>

#include "region/pair.h"

namespace dualmargin::region {

struct Tilt {
  double kappa = 0;
  Vec size;          // T
  Vec upper, lower;  // sum omega FY for T and -T
  Vec rounding;      // of the vector whose length enters
  Vec centre, e;     // c and e

  bool usable() const { return size.size() > 0; }
};

template <class Data>
Tilt tilt_of(const Problem<Data>& problem, const Pair& pair, Tick& tick) {
  Tilt tilt;
  if (!problem.free() || problem.g.l1 > 0 || problem.g.l2 == 0) return tilt;
  const auto& rows = problem.rows;
  const Index n = problem.n();
  const double W = problem.total_weight();
  RowVec h(n);
  for (Index i = 0; i < n; ++i) {
    h[i] = problem.omega(i) > 0 ? problem.phi.tilt(pair.a[i], problem.y(i)) : 0.0;
  }
  const double mass = problem.mean([&](Index i) { return h[i]; });
  if (!(std::isfinite(mass) && mass > 0)) return tilt;
  constexpr Index count = 33;
  const double h_rms = std::sqrt(problem.mean([&](Index i) { return h[i] * h[i]; }));
  const Vec& stored = problem.sizes(tick).stored;
  tilt.kappa = problem.g.l2 * W;
  tilt.centre = rows.cross(problem.share * h, tick) / mass;
  tilt.e = tilt.kappa * pair.w + W * pair.u;
  const double own = W * (pair.u_rounding.norm() +
                          rounding::of(4) * (problem.g.l2 * pair.w.norm() + pair.u.norm()));
  tilt.size = tilt.upper = tilt.lower = tilt.rounding = Vec(count);
  for (Index k = 0; k < count; ++k) {
    const double tau = std::pow(10.0, -8 + 0.25 * static_cast<double>(k));
    const auto excess_at = [&](double t) {
      return W * mean_above(problem, [&](Index i) {
               const double y = problem.y(i), a = problem.phi.nearest(pair.a[i] + t * h[i], y);
               return excess_above(problem.phi, pair.z[i], a, y, pair.z_rounding[i]);
             });
    };
    tilt.size[k] = tau * mass * W;
    tilt.upper[k] = excess_at(tau);
    tilt.lower[k] = excess_at(-tau);
    tilt.rounding[k] = own + 2 * tau * W * problem.cross_rounding() * h_rms * stored.norm();
    tick.look();
  }
  return tilt;
}

// How far above and below the score of a row the optimal one can be; far: |x - c|^2 from above,
// along: e'(x - c).
struct Reach {
  double up, down;
};
inline Reach tilt_reach(const Tilt& tilt, double far, double along) {
  Reach best{HUGE_VAL, HUGE_VAL};
  const double own = tilt.e.squaredNorm();
  const double lost = rounding::of(64 * (static_cast<double>(tilt.e.size()) + 4));
  for (Index k = 0; k < tilt.size.size(); ++k) {
    const double T = tilt.size[k], sum = own + T * T * far;
    const auto side = [&](double excess, double sign) {
      const double length =
          std::sqrt(square_above(sum - sign * 2 * T * along, lost * sum)) + tilt.rounding[k];
      return (excess + length * length / (2 * tilt.kappa)) / T;
    };
    best.up = std::min(best.up, side(tilt.upper[k], 1));
    best.down = std::min(best.down, side(tilt.lower[k], -1));
  }
  return {best.up * (1 + 1e-10), best.down * (1 + 1e-10)};
}

}  // namespace dualmargin::region
