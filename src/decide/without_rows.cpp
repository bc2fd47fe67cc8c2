#include "decide/without_rows.h"

#include <utility>

#include "region/secant.h"

namespace dualmargin::decide {

WithoutRows::WithoutRows(const Fitted& fit, const Leaving& leaving)
    : omega_(leaving.weights(fit.problem.rows.weights)),
      rows(fit.problem.rows, fit.problem.rows.y, omega_),
      g(net(fit.problem.g, leaving.kappa / rows.total_weight)),
      problem(rows, fit.problem.losses.held, g, fit.problem.free()),
      lost_in_score_(fit.lost_in_score()) {}

void WithoutRows::look(const Vec& w, double b, const RowVec& a, Leaving& leaving,
                       Tick& tick) const {
  const Pair pair = region::pair_of(problem, w, b, a, tick);
  const region::Ball ball = region::ball_of(problem, pair);
  const region::Around around(rows, ball.centre, ball.radius, region::offset_rule(problem), tick);
  const RowVec& squares = rows.squares(tick);
  for (std::size_t j = 0; j < leaving.out.size(); ++j) {
    const Index i = leaving.out[j];
    const Vec x = rows.row(i);
    if (problem.free()) {
      const Interval ends = around.at(x, tick);
      leaving.intersect(j, ends.low, ends.high);
      continue;
    }
    const double score = x.dot(ball.centre);
    const double half = ball.radius * std::sqrt(squares[i]) +
                        lost_in_score_ * x.cwiseAbs().dot(ball.centre.cwiseAbs());
    leaving.intersect(j, score - half, score + half);
  }
  if (problem.phi.gamma() == 0) return;
  const region::Ellipsoid curved = region::secant_of(
      problem, pair, ball, problem.free() ? around.centre(tick) : Interval{0, 0}, tick);
  if (!curved.usable()) return;
  for (std::size_t j = 0; j < leaving.out.size(); ++j) {
    const Index i = leaving.out[j];
    const double half = curved.norms[i] * curved.radius + pair.z_rounding[i];
    leaving.intersect(j, pair.z[i] - half, pair.z[i] + half);
  }
}

DualAt WithoutRows::slopes_at(const Vec& w, double b, Tick& tick) const {
  RowVec z = rows.multiply(w, tick);
  b = problem.losses.best_intercept(z, b);
  z += b;
  return {RowVec::of(rows.n(), [&](Index i) { return problem.phi.left(z[i], problem.y(i)); }), b};
}

Displaced WithoutRows::displaced(const Vec& from, const Vec& w, double b, const RowVec& a,
                                 const Vec& origin, Tick& tick) const {
  const region::Region r =
      region::region_of(problem, region::pair_of(problem, w, b, a, tick), origin, tick, false);
  const double lost = rounding::of(4) * (from.norm() + r.ball.centre.norm());
  return {r.ball.centre - from, r.ball.radius + lost, r.intercept};
}

}  // namespace dualmargin::decide
