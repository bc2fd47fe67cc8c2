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

struct TiltSums {
  double kappa = 0;
  Vec size;          // T
  Vec upper, lower;  // sum omega FY for T and -T
  Vec rounding;      // of the vector whose length enters

  bool usable() const { return size.size() > 0; }
};
struct Tilt : TiltSums {
  Vec centre, e;  // c and e
};

// h, where it may be other than 0, and (1/W) sum omega h.
struct TiltMass {
  RowVec h;
  double mean = 0;

  bool usable() const { return std::isfinite(mean) && mean > 0; }
};
template <class Geometry, class May>
TiltMass tilt_mass(const ProblemIn<Geometry>& problem, const RowTerms& pair, May may) {
  TiltMass mass;
  mass.h = RowVec::of(problem.n(), [&](Index i) {
    return problem.omega(i) > 0 && may(i) ? problem.phi.tilt(pair.a[i], problem.y(i)) : 0.0;
  });
  mass.mean = problem.mean([&](Index i) { return mass.h[i]; });
  return mass;
}
// Of the pair with a + tau h for its dual point, W F.
template <class Geometry>
double tilted_excess(const ProblemIn<Geometry>& problem, const RowTerms& pair, const RowVec& h,
                     double tau) {
  return problem.total_weight() * mean_above(problem, [&](Index i) {
           const double y = problem.y(i), a = problem.phi.nearest(pair.a[i] + tau * h[i], y);
           return excess_above(problem.phi, pair.z[i], a, y, pair.z_rounding[i]);
         });
}
// own, moved: the rounding of e, and of the centre times sum omega h.
template <class Geometry>
TiltSums tilt_sums(const ProblemIn<Geometry>& problem, const RowTerms& pair, const TiltMass& mass,
                   double own, double moved, Tick& tick) {
  constexpr Index count = 33;
  const double W = problem.total_weight();
  TiltSums tilt;
  tilt.kappa = problem.g.l2 * W;
  tilt.size = tilt.upper = tilt.lower = tilt.rounding = Vec(count);
  for (Index k = 0; k < count; ++k) {
    const double tau = std::pow(10.0, -8 + 0.25 * static_cast<double>(k));
    tilt.size[k] = tau * mass.mean * W;
    tilt.upper[k] = tilted_excess(problem, pair, mass.h, tau);
    tilt.lower[k] = tilted_excess(problem, pair, mass.h, -tau);
    tilt.rounding[k] = own + 2 * tau * moved;
    tick.look();
  }
  return tilt;
}

inline Tilt tilt_of(const Problem& problem, const Pair& pair, Tick& tick) {
  Tilt tilt;
  if (!problem.free() || problem.g.l1 > 0 || problem.g.l2 == 0) return tilt;
  const TiltMass mass = tilt_mass(problem, pair, [](Index) { return true; });
  if (!mass.usable()) return tilt;
  const double W = problem.total_weight();
  const double h_rms = std::sqrt(problem.mean([&](Index i) { return mass.h[i] * mass.h[i]; }));
  const double own = W * (pair.u_rounding.norm() +
                          rounding::of(4) * (problem.g.l2 * pair.w.norm() + pair.u.norm()));
  const double moved = W * problem.cross_rounding() * h_rms * problem.sizes(tick).stored.norm();
  static_cast<TiltSums&>(tilt) = tilt_sums(problem, pair, mass, own, moved, tick);
  tilt.centre = problem.rows.cross(problem.share * mass.h, tick) / mass.mean;
  tilt.e = tilt.kappa * pair.w + W * pair.u;
  return tilt;
}

// How far above and below the score of a row the optimal one can be; square: |x - c|^2 from above,
// along: e'(x - c), off by `off`; own: |e|^2; lost: of the square, in units of its terms.
struct Reach {
  double up, down;
};
inline Reach tilt_reach(const TiltSums& tilt, double square, double along, double own, double lost,
                        double off = 0) {
  Reach best{HUGE_VAL, HUGE_VAL};
  for (Index k = 0; k < tilt.size.size(); ++k) {
    const double T = tilt.size[k], sum = own + T * T * square;
    const auto side = [&](double excess, double sign) {
      const double length =
          std::sqrt(square_above(sum - sign * 2 * T * along, lost * sum + 2 * T * off)) +
          tilt.rounding[k];
      return (excess + length * length / (2 * tilt.kappa)) / T;
    };
    best.up = std::min(best.up, side(tilt.upper[k], 1));
    best.down = std::min(best.down, side(tilt.lower[k], -1));
  }
  return {best.up * (1 + 1e-10), best.down * (1 + 1e-10)};
}

}  // namespace dualmargin::region
