#include "region/of_kernel.h"

#include <algorithm>
#include <utility>

#include "base/slack.h"

namespace dualmargin::region {

std::vector<Index> used_rows(const RowVec& omega) {
  std::vector<Index> at;
  for (Index i = 0; i < omega.size(); ++i) {
    if (omega[i] > 0) at.push_back(i);
  }
  return at;
}

FunctionPair pair_of(const FunctionProblem& problem, Function w, RowVec a,
                     const std::vector<Index>& used, Tick& tick) {
  const auto& rows = problem.rows;
  const Index n = problem.n(), m = static_cast<Index>(used.size());
  const auto some = [&](const RowVec& v) {
    return RowVec::of(m, [&](Index k) { return v[used[k]]; });
  };
  RowVec y = some(problem.losses.y), omega = some(problem.losses.omega);
  RowVec part = RowVec::of(m, [&](Index k) { return problem.phi.nearest(a[used[k]], y[k]); });
  RowLosses(problem.losses.held, y, omega, problem.free(), rows.team).balance(part);
  FunctionPair pair;
  pair.a = RowVec::Zero(n);
  Vec own = Vec::Zero(n);
  for (Index k = 0; k < m; ++k) {
    const Index i = used[k];
    pair.a[i] = part[k];
    own[i] = -problem.share[i] * part[k] / problem.g.l2;
  }
  if (w.zero()) {
    pair.w = rows.function(std::move(own), tick);
    pair.apart = pair.lost = rows.coefficient_rounding(pair.w, 8);
  } else {
    pair.w = std::move(w);
    pair.residual = rows.function(pair.w.coef - own, tick);
    pair.lost = rows.coefficient_rounding({own, {}}, 8) + rows.coefficient_rounding(pair.w, 2);
    pair.apart = std::sqrt(most_of(rows.square(pair.residual))) + pair.lost;
  }
  const RowVec score = rows.products(pair.w);
  pair.b = problem.losses.best_intercept(score, 0);
  pair.z = score + pair.b;
  pair.z_rounding = rows.roundings(pair.w, pair.b);
  find_excess(problem, pair);
  return pair;
}

BallIn<Function> ball_of(const FunctionProblem& problem, const FunctionPair& pair) {
  const double mu = problem.g.l2, F = pair.mean_excess;
  if (pair.residual.zero()) return ball_around(pair.w, F, 0, mu, pair.apart);
  return ball_around(combined(1, pair.w, -0.5, pair.residual), F, pair.apart, mu,
                     problem.rows.coefficient_rounding(pair.w, 4));
}

TiltIn<Function> tilt_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick) {
  TiltIn<Function> tilt;
  if (!problem.free()) return tilt;
  const TiltMass mass = tilt_mass(problem, pair, [&](Index i) { return pair.a[i] != 0; });
  if (!mass.usable()) return tilt;
  const auto& rows = problem.rows;
  tilt.centre = rows.function(RowVec(problem.share * mass.h / mass.mean).local(), tick);
  const double W = problem.total_weight();
  const double moved = W * mass.mean * rows.coefficient_rounding(tilt.centre, 16);
  static_cast<TiltSums&>(tilt) =
      tilt_sums(problem, pair, mass, problem.g.l2 * W * pair.lost, moved, tick);
  tilt.e = scaled(tilt.kappa, pair.residual);
  return tilt;
}

FunctionRegion region_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick) {
  FunctionRegion r;
  r.w = pair.w;
  r.b = pair.b;
  r.free = problem.free();
  r.ball = ball_of(problem, pair);
  if (!r.free) return r;
  r.centre = around_of(problem.rows, r.ball, offset_rule(problem), tick)
                 .over(problem.rows.squares(), 0, 0);
  r.tilt = tilt_of(problem, pair, tick);
  return r;
}

Ends intervals(const FunctionRegion& r, const FunctionRows& rows, const Function& centre,
               FunctionRef<Mat(Index, Index)> columns, Tick& tick) {
  const Function& middle = r.ball.centre;
  const FunctionRows moved(rows, centre);
  const std::vector<Vec> at =
      rows.values({&middle, &centre, &r.w, &r.tilt.centre, &r.tilt.e}, tick);
  Ends ends = ball_ends(r.ball.radius, r.centre, 0, moved.products(middle, at[0]),
                        moved.roundings(middle, 0), moved.squares(at[1]));
  if (!r.tilt.usable() && !r.ellipsoid.usable()) return ends;
  const RowVec score(rows.products(r.w, at[2]) + r.b), lost = rows.roundings(r.w, r.b);
  const auto narrow = [&](Index i, double down, double up) {
    ends.intersect(i, {score[i] - down - lost[i], score[i] + up + lost[i]});
  };
  if (r.tilt.usable()) {
    const FunctionRows around(rows, r.tilt.centre);
    const RowVec squares = around.squares(at[3]);
    const bool apart = !r.tilt.e.zero();
    const RowVec along = apart ? around.products(r.tilt.e, at[4]) : RowVec::Zero(rows.n());
    const RowVec off = apart ? around.roundings(r.tilt.e, 0) : RowVec::Zero(rows.n());
    const double own = apart ? most_of(rows.square(r.tilt.e)) : 0.0;
    for (Index i = 0; i < rows.n(); ++i) {
      const Reach reach = tilt_reach(r.tilt, squares[i], along[i], own, rounding::of(8), off[i]);
      narrow(i, reach.down, reach.up);
    }
  }
  if (r.ellipsoid.usable()) {
    double least = 1;
    const RowVec norms =
        inverse_norms(r.ellipsoid.factor, rows, rows.squares(Vec()), columns, least, tick);
    for (Index i = 0; i < rows.n(); ++i) {
      const double half = norms[i] * r.ellipsoid.radius;
      narrow(i, half, half);
    }
  }
  return ends;
}

Ends intervals(const FunctionRegion& r, const FunctionRows& rows, Tick& tick) {
  return intervals(
      r, rows, rows.centre(), [](Index, Index) { return Mat(); }, tick);
}

}  // namespace dualmargin::region
