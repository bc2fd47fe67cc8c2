#include "region/secant.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/slack.h"
#include "region/newton.h"

namespace dualmargin::region {

namespace {

template <class Geometry>
double most_of_used(const ProblemIn<Geometry>& problem, const RowVec& v) {
  return std::max(0.0,
                  problem.rows.max([&](Index i) { return problem.omega(i) > 0 ? v[i] : 0.0; }));
}

// Numbers that a Hessian has a side of.
Index order_of(const Problem& problem) { return problem.rows.dim() + problem.free(); }
Index order_of(const FunctionProblem& problem) { return problem.n(); }

// |(x_i, 1)|_{H^-1} of the rows of the problem from above, and by what they may be too large.
void find_norms(Ellipsoid& e, const Problem& problem, Tick& tick) {
  e.norms = inverse_norms(e.factor, problem.rows, tick);
  e.inflation = e.factor.inflation;
}
void find_norms(FunctionEllipsoid& e, const FunctionProblem& problem, Tick& tick) {
  const auto& rows = problem.rows;
  const auto values = [&](Index begin, Index end) {
    return rows.gram().middleCols(begin, end - begin);
  };
  double least = 1;
  e.norms = inverse_norms(e.factor, rows, rows.squares(), values, least, tick);
  const bool finite = !rows.any([&](Index i) { return !std::isfinite(e.norms[i]); });
  e.inflation =
      finite && least >= 0.5 ? std::pow(1 / least, 0.25) * rounding::raised_exp : HUGE_VAL;
}

double length_of(const Vec& w, const Problem& problem, const Factor& factor) {
  Vec v = Vec::Zero(w.size() + problem.free());
  v.head(w.size()) = w;
  return factor.norm(v);
}
double length_of(const Function& w, const FunctionProblem& problem, const FunctionFactor& H) {
  const Square square = H.square(most_of(problem.rows.square(w)), H.white(w.values).col(0), 0);
  return square.possible() ? std::sqrt(square.most()) : HUGE_VAL;
}

// |G|_{H^-1} at the pair from above.
double gradient_norm(const Problem& problem, const Pair& pair, const Factor& factor,
                     const RowVec& norms, Tick& tick) {
  const RowVec slope = slopes_of(problem, pair);
  return factor.norm(gradient_of(problem, pair.w, slope, tick)) +
         gradient_rounding(problem, pair, gradient_terms(problem, pair.w, slope, tick), factor,
                           most_of_used(problem, norms));
}

double gradient_norm(const FunctionProblem& problem, const FunctionPair& pair,
                     const FunctionFactor& H, const RowVec&, Tick& tick) {
  const auto& rows = problem.rows;
  const RowVec slope = slopes_of(problem, pair);
  const RowVec own = rows.squares();
  const auto [size, length, wobble] = rows.sum([&](Index i) {
    const double share = problem.share[i];
    if (!(share > 0)) return std::array<double, 3>{0, 0, 0};
    const double moved = share * (pair.z_rounding[i] / problem.phi.gamma() +
                                  rounding::of_term() * (1 + std::abs(slope[i])));
    return std::array<double, 3>{share * std::abs(slope[i]), moved * std::sqrt(own[i]), moved};
  });
  const FunctionGradient g = gradient_of(problem, pair, slope, tick);
  const Square G = H.square(most_of(rows.square(g.of_w)), H.white(g.of_w.values).col(0), g.of_b);
  if (!G.possible()) return HUGE_VAL;
  const double mu = problem.g.l2;
  double nu = std::sqrt(G.most()) + length / std::sqrt(mu) + std::sqrt(mu) * pair.lost;
  if (problem.free()) nu += (wobble + rounding::of_value() * size) / std::sqrt(mu * H.mass());
  return nu * rounding::raised_exp;
}

template <class Known, class Geometry, class AnyPair>
Known curvature_at(const ProblemIn<Geometry>& problem, const AnyPair& pair, Tick& tick) {
  const Curving curving = problem.phi.curving();
  if (curving == Curving::sudden || problem.g.l2 == 0 || order_of(problem) > largest_hessian) {
    return {};
  }
  Known e;
  e.free = problem.free();
  e.factor = factored_hessian(problem, Bends(problem, pair).h, tick,
                              most_of_used(problem, pair.z_rounding));
  if (!e.factor.usable()) return {};
  find_norms(e, problem, tick);
  e.length_of_w = length_of(pair.w, problem, e.factor);
  e.nu = gradient_norm(problem, pair, e.factor, e.norms, tick);
  if (!std::isfinite(e.inflation + e.length_of_w + e.nu)) return {};
  e.reach = most_of_used(problem, e.norms);
  e.radius = by_curvature(e.nu, e.reach, curving == Curving::constant);
  return e;
}

// Not usable where the loss has kinks, or rows can cross too many of those of its slope.
template <class Known, class Geometry, class AnyPair, class Vector>
Known secant_within(const ProblemIn<Geometry>& problem, const AnyPair& pair,
                    const BallIn<Vector>& ball, const Interval& centre, const Geometry& placed,
                    Tick& tick) {
  if (problem.phi.gamma() == 0 || order_of(problem) > largest_hessian) return {};
  Ends scores = ball_ends(ball.radius, problem.free() ? centre : Interval{0, 0}, 0,
                          placed.multiply(ball.centre, tick),
                          placed.roundings(ball.centre, 0, tick), placed.squares(tick));
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
    const double bend = rows.sum([&](Index i) { return h[i]; });
    if (bend <= bent * (1 + 1e-3)) break;
    auto factor = factored_hessian(problem, h, tick);
    if (!factor.usable()) break;
    known.factor = std::move(factor);
    find_norms(known, problem, tick);
    known.radius = known.nu = gradient_norm(problem, pair, known.factor, known.norms, tick);
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

Vec gradient_terms(const Problem& problem, const Vec& w, const RowVec& slope, Tick& tick) {
  const Index d = w.size();
  const double size = std::sqrt(problem.mean([&](Index i) { return slope[i] * slope[i]; }));
  Vec terms(d + problem.free());
  terms.head(d) = size * problem.sizes(tick).stored + problem.g.l2 * w.cwiseAbs();
  terms.head(d).array() += problem.g.l1;
  if (problem.free()) terms[d] = size;
  return terms;
}

double gradient_rounding(const Problem& problem, const Pair& pair, const Vec& terms,
                         const Factor& factor, double reach) {
  // of slopes of 1 at most; a difference of score and response has no more than the other terms
  const double own = problem.phi.curving() == Curving::constant ? 0.0 : rounding::of(4);
  return problem.cross_rounding() * factor.inverse.dot(terms) +
         reach * (most_of_used(problem, pair.z_rounding) / problem.phi.gamma() + own);
}

Ellipsoid ellipsoid_of(const Problem& problem, const Pair& pair, Tick& tick) {
  return curvature_at<Ellipsoid>(problem, pair, tick);
}

FunctionEllipsoid ellipsoid_of(const FunctionProblem& problem, const FunctionPair& pair,
                               Tick& tick) {
  return curvature_at<FunctionEllipsoid>(problem, pair, tick);
}

Ellipsoid secant_of(const Problem& problem, const Pair& pair, const Ball& ball,
                    const Interval& centre, const Rows& placed, Tick& tick) {
  return secant_within<Ellipsoid>(problem, pair, ball, centre, placed, tick);
}

FunctionEllipsoid secant_of(const FunctionProblem& problem, const FunctionPair& pair,
                            const BallIn<Function>& ball, const Interval& centre,
                            const FunctionRows& placed, Tick& tick) {
  return secant_within<FunctionEllipsoid>(problem, pair, ball, centre, placed, tick);
}

namespace {

// Some Hessians take no longer than a pass over the rows up to here.
constexpr Index largest_secant = 500;

}  // namespace

Region curved_region_of(const Problem& problem, const Pair& pair, const Vec& origin, Tick& tick) {
  Region r = region_of(problem, pair, origin, tick);
  const bool sudden = problem.phi.gamma() > 0 && problem.phi.curving() == Curving::sudden;
  if (!sudden || problem.g.l2 == 0 || problem.rows.dim() + r.free > largest_secant) return r;
  r.ellipsoid = secant_of(problem, pair, r.ball, r.centre, problem.rows, tick);
  if (r.free) {
    r.intercept = r.intercept.intersect(ellipsoid_interval(r.ellipsoid, r.w, r.b, origin));
  }
  return r;
}

}  // namespace dualmargin::region
