#include "region/tilt.h"

#include <algorithm>
#include <vector>

#include "base/slack.h"
#include "base/square.h"
#include "region/function_rows.h"

namespace dualmargin::region {

template <class Geometry>
TiltMass tilt_mass(const ProblemIn<Geometry>& problem, const RowTerms& pair,
                   FunctionRef<bool(Index)> may) {
  TiltMass mass;
  mass.h = RowVec::of(problem.n(), [&](Index i) {
    return problem.omega(i) > 0 && may(i) ? problem.phi.tilt(pair.a[i], problem.y(i)) : 0.0;
  });
  mass.mean = problem.mean([&](Index i) { return mass.h[i]; });
  return mass;
}

template <class Geometry>
double tilted_excess(const ProblemIn<Geometry>& problem, const RowTerms& pair, const RowVec& h,
                     double tau) {
  return problem.total_weight() * mean_above(problem, [&](Index i) {
           const double y = problem.y(i), a = problem.phi.nearest(pair.a[i] + tau * h[i], y);
           return excess_above(problem.phi, pair.z[i], a, y, pair.z_rounding[i]);
         });
}

template <class Geometry>
TiltSums tilt_sums(const ProblemIn<Geometry>& problem, const RowTerms& pair, const TiltMass& mass,
                   double own, double moved, Tick& tick) {
  constexpr Index count = 33;
  const double W = problem.total_weight();
  TiltSums tilt;
  tilt.kappa = problem.g.l2 * W;
  tilt.size = tilt.upper = tilt.lower = tilt.rounding = Vec::Zero(count);
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

Tilt tilt_of(const Problem& problem, const Pair& pair, Tick& tick) {
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
  tilt.centre = problem.rows.transpose_multiply(problem.share * mass.h, tick) / mass.mean;
  tilt.e = tilt.kappa * pair.w + W * pair.u;
  return tilt;
}

Reach tilt_reach(const TiltSums& tilt, double square, double along, double own, double lost,
                 double off) {
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
  return {best.up * rounding::raised_exp, best.down * rounding::raised_exp};
}

template TiltMass tilt_mass(const ProblemIn<Rows>&, const RowTerms&, FunctionRef<bool(Index)>);
template double tilted_excess(const ProblemIn<Rows>&, const RowTerms&, const RowVec&, double);
template TiltSums tilt_sums(const ProblemIn<Rows>&, const RowTerms&, const TiltMass&, double,
                            double, Tick&);
template TiltMass tilt_mass(const ProblemIn<FunctionRows>&, const RowTerms&,
                            FunctionRef<bool(Index)>);
template double tilted_excess(const ProblemIn<FunctionRows>&, const RowTerms&, const RowVec&,
                              double);
template TiltSums tilt_sums(const ProblemIn<FunctionRows>&, const RowTerms&, const TiltMass&,
                            double, double, Tick&);

}  // namespace dualmargin::region
