#include "region/secant.h"

#include <algorithm>
#include <utility>

namespace dualmargin::region {

double secant_gradient(const Problem& problem, const Pair& pair, const Factor& factor,
                       const RowVec& norms, Tick& tick) {
  const Index d = pair.w.size();
  const RowVec slope =
      RowVec::of(problem.n(), [&](Index i) { return problem.phi.left(pair.z[i], problem.y(i)); });
  const auto most = [&](const RowVec& v) {
    return std::max(
        0.0, problem.rows.rows.max([&](Index i) { return problem.omega(i) > 0 ? v[i] : 0.0; }));
  };
  const double size = std::sqrt(problem.mean([&](Index i) { return slope[i] * slope[i]; }));
  Vec terms(d + problem.free());
  terms.head(d) = size * problem.sizes(tick).stored + problem.g.l2 * pair.w.cwiseAbs();
  terms.head(d).array() += problem.g.l1;
  if (problem.free()) terms[d] = size;
  return factor.norm(gradient_of(problem, pair.w, slope, tick)) +
         problem.cross_rounding() * factor.inverse.dot(terms) +
         most(norms) * (most(pair.z_rounding) / problem.phi.gamma() + rounding::of(4));
}

namespace {

// known: every optimal score of the rows. Not usable where the loss has kinks, or rows can cross too
// many of those of its slope.
template <class Known, class Geometry, class AnyPair>
Known secant_within(const ProblemIn<Geometry>& problem, const AnyPair& pair, Ends scores,
                    Tick& tick) {
  Known known;
  const auto& rows = problem.rows;
  const Index n = problem.n();
  known.free = problem.free();
  RowVec &low = scores.low, &high = scores.high;
  double bent = -1;
  for (int round = 0; round < 6; ++round) {
    RowVec h(n);
    for (Index i = 0; i < n; ++i) {
      low[i] = std::min(low[i], pair.z[i] - pair.z_rounding[i]);
      high[i] = std::max(high[i], pair.z[i] + pair.z_rounding[i]);
      h[i] = problem.omega(i) > 0
                 ? problem.share[i] * problem.phi.least_curvature(low[i], high[i], problem.y(i))
                 : 0.0;
    }
    const double bend = rows.rows.sum([&](Index i) { return h[i]; });
    if (bend <= bent * (1 + 1e-3)) break;
    auto factor = factored_hessian(problem, h, tick);
    if (!factor.usable()) break;
    known.norms = inverse_norms(factor, rows, known.free, tick);
    known.radius = known.nu = secant_gradient(problem, pair, factor, known.norms, tick);
    known.factor = std::move(factor);
    bent = bend;
    for (Index i = 0; i < n; ++i) {
      const double reach = known.norms[i] * known.nu + pair.z_rounding[i];
      low[i] = std::max(low[i], pair.z[i] - reach);
      high[i] = std::min(high[i], pair.z[i] + reach);
    }
  }
  return known;
}

}  // namespace

Ellipsoid secant_of(const Problem& problem, const Pair& pair, const Ball& ball,
                    const Interval& centre, Tick& tick) {
  const auto& rows = problem.rows;
  const bool free = problem.free();
  if (problem.phi.gamma() == 0 || pair.w.size() + free > largest_hessian) return {};
  return secant_within<Ellipsoid>(
      problem, pair,
      ball_ends(ball.radius, free ? centre : Interval{0, 0}, 0, rows.multiply(ball.centre, tick),
                rows.roundings(ball.centre, 0, tick), rows.squares(tick)),
      tick);
}

FunctionEllipsoid secant_of(const FunctionProblem& problem, const FunctionPair& pair, Ends scores,
                            Tick& tick) {
  if (problem.phi.gamma() == 0 || problem.n() > largest_hessian) return {};
  return secant_within<FunctionEllipsoid>(problem, pair, std::move(scores), tick);
}

namespace {

// Some Hessians take no longer than a pass over the rows up to here.
constexpr Index largest_secant = 500;

}  // namespace

Region curved_region_of(const Problem& problem, const Pair& pair, const Vec& origin, Tick& tick) {
  Region r = region_of(problem, pair, origin, tick);
  const bool sudden = problem.phi.gamma() > 0 && problem.phi.curving() == Curving::sudden;
  if (!sudden || problem.g.l2 == 0 || problem.rows.dim() + r.free > largest_secant) return r;
  r.ellipsoid = secant_of(problem, pair, r.ball, r.free ? r.centre : Interval{0, 0}, tick);
  if (r.free) {
    r.intercept = r.intercept.intersect(ellipsoid_interval(r.ellipsoid, r.w, r.b, origin));
  }
  return r;
}

}  // namespace dualmargin::region
