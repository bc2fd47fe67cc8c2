#include "region/of_kernel.h"

#include <algorithm>
#include <utility>

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
  const double mu = problem.g.l2, apart = pair.apart, F = pair.mean_excess;
  const double gap = F + mu / 2 * apart * apart;
  if (pair.residual.zero()) return {pair.w, std::sqrt(F / mu) * (1 + 1e-12) + apart, gap};
  const double half = problem.rows.coefficient_rounding(pair.w, 4);
  return {combined(1, pair.w, -0.5, pair.residual),
          std::sqrt(F / mu + apart * apart / 4) * (1 + 1e-12) + half, gap};
}

AroundRows around_of(const FunctionProblem& problem, const BallIn<Function>& ball) {
  return {ball.radius, offset_rule(problem), problem.rows.products(ball.centre),
          problem.rows.roundings(ball.centre, 0)};
}

FunctionTilt tilt_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick) {
  FunctionTilt tilt;
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
  r.b = pair.b;
  r.free = problem.free();
  r.ball = ball_of(problem, pair);
  if (!r.free) return r;
  const AroundRows around = around_of(problem, r.ball);
  r.offset = around.over(problem.rows.squares(), 0, 0);
  r.tilt = tilt_of(problem, pair, tick);
  return r;
}

void meet_tilt(Ends& ends, const FunctionTilt& tilt, const FunctionRows& rows, const RowVec& score,
               const RowVec& lost, const Vec& of_centre, const Vec& of_e) {
  const FunctionRows around(rows, tilt.centre);
  const RowVec squares = around.squares(of_centre);
  const bool apart = !tilt.e.zero();
  const RowVec along = apart ? around.products(tilt.e, of_e) : RowVec::Zero(rows.n());
  const RowVec off = apart ? around.roundings(tilt.e, 0) : RowVec::Zero(rows.n());
  const double own = apart ? most_of(rows.square(tilt.e)) : 0.0;
  for (Index i = 0; i < rows.n(); ++i) {
    const Reach reach = tilt_reach(tilt, squares[i], along[i], own, rounding::of(8), off[i]);
    ends.low[i] = std::max(ends.low[i], score[i] - reach.down - lost[i]);
    ends.high[i] = std::min(ends.high[i], score[i] + reach.up + lost[i]);
  }
}

Ends intervals(const FunctionRegion& r, const FunctionRows& rows, Tick& tick) {
  const Function& middle = r.ball.centre;
  const std::vector<Vec> at =
      rows.values({&middle, &rows.centre(), &r.tilt.centre, &r.tilt.e}, tick);
  const RowVec score = rows.products(middle, at[0]);
  Ends ends =
      ball_ends(r.ball.radius, r.offset, 0, score, rows.roundings(middle, 0), rows.squares(at[1]));
  if (r.tilt.usable()) {
    meet_tilt(ends, r.tilt, rows, RowVec(score + r.b), rows.roundings(middle, r.b), at[2], at[3]);
  }
  return ends;
}

}  // namespace dualmargin::region
