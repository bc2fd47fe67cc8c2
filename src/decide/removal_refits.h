// The optimum without some rows where Newton steps are not to be had: refits in which they have no
// weight, warm and tighter until the rows that left are decided.
//
// Around a refit of a smooth loss the curvature that is certain narrows further. Let every optimal
// score z*_i be known to lie within [l_i, h_i], z_i too, and phi' rise there by at least c_i for
// each unit. With d = (w*, b*) - (w, b), the gradient G at (w, b) and H = (1/W) sum omega_i c_i x_i
// x_i' + mu I,
//
//   d'H d <= (grad P(w*, b*) - G)'d <= -G'd,   so   |d|_H <= |G|_{H^-1},
//
// as the subgradients of an l1 part are monotone too. Where no row can cross a kink of a piecewise
// linear slope this is the curvature of the fit, whatever rounding leaves of its duality gap.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "decide/removal_steps.h"
#include "linear/problem.h"

namespace dualmargin::decide {

// A fit of the problem to a tolerance, from a start.
template <class Data>
using Refit =
    std::function<linear::Solution(const linear::LinearProblem<Data>& problem,
                                   const linear::Solution& start, double tol, Tick& tick)>;

// |G|_{H^-1} at the pair from above. Scores that are off by e move slopes by e/gamma.
template <class Data>
double secant_gradient(const Problem<Data>& problem, const Pair& pair, const region::Factor& factor,
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
  return factor.norm(region::gradient_of(problem, pair.w, slope, tick)) +
         problem.cross_rounding() * factor.inverse.dot(terms) +
         most(norms) * (most(pair.z_rounding) / problem.phi.gamma() + rounding::of(4));
}

// Of the optimum of the pair's problem, met into the intervals of the rows that left.
template <class Data>
void curved_ends(const Problem<Data>& problem, const Pair& pair, const region::Ball& ball,
                 const region::Around<Data>& around, Leaving& leaving, Tick& tick) {
  const auto& rows = problem.rows;
  const Index n = problem.n();
  if (problem.phi.gamma() == 0 || pair.w.size() + problem.free() > region::largest_hessian) return;
  const RowVec own = rows.times(ball.centre, tick), lost = rows.roundings(ball.centre, 0, tick);
  const RowVec& squares = rows.squares(tick);
  const Interval offset = problem.free() ? around.centre(tick) : Interval{0, 0};
  RowVec low(n), high(n), norms, found_norms;
  for (Index i = 0; i < n; ++i) {
    const double half = ball.radius * std::sqrt(squares[i]) + lost[i];
    low[i] = own[i] + offset.low - half;
    high[i] = own[i] + offset.high + half;
  }
  double known = -1, nu = HUGE_VAL;
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
    if (bend <= known * (1 + 1e-3)) break;
    const region::Factor factor = region::factored_hessian(problem, h, tick);
    if (!factor.usable()) break;
    norms = region::inverse_norms(factor, rows, problem.free(), tick);
    nu = secant_gradient(problem, pair, factor, norms, tick);
    known = bend;
    found_norms = norms;
    for (Index i = 0; i < n; ++i) {
      const double reach = norms[i] * nu + pair.z_rounding[i];
      low[i] = std::max(low[i], pair.z[i] - reach);
      high[i] = std::min(high[i], pair.z[i] + reach);
    }
  }
  if (known < 0) return;
  for (std::size_t j = 0; j < leaving.out.size(); ++j) {
    const Index i = leaving.out[j];
    const double half = found_norms[i] * nu + pair.z_rounding[i];
    leaving.meet(j, pair.z[i] - half, pair.z[i] + half);
  }
}

template <class Data>
class Refits {
 public:
  // data: of the rows, which are not moved at run time
  Refits(const Fitted<Data>& fit, const Data& data, Refit<Data> solve,
         std::function<Columns()> columns)
      : fit_(fit), data_(data), solve_(std::move(solve)), columns_(std::move(columns)) {}

  template <class Open>
  void solve(Leaving& leaving, Open open, Tick& tick) const {
    const auto& moved = fit_.problem.rows;
    RowVec omega = moved.rows.weights;
    for (const Index i : leaving.out) omega[i] = 0;
    const Rows<Data> rows(data_, moved.rows.y, omega, moved.rows.team);
    const region::MovedRows<Data> less(rows, moved);
    const double W = rows.total_weight, mu = leaving.kappa / W;
    const ElasticNet g{mu * (fit_.problem.g.l1 / fit_.problem.g.l2), mu};
    const Problem<Data> problem(less, fit_.problem.phi, g, fit_.problem.free());
    linear::LinearProblem<Data> to_solve(rows, fit_.problem.phi.loss(), g, fit_.problem.free());
    to_solve.columns = columns_;
    const double b = moved.shift.dot(fit_.pair.w);
    linear::Solution at{{fit_.pair.w, fit_.pair.b - b}, {fit_.pair.a}, ""};
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      at = solve_(to_solve, at, tol, tick);
      look(problem, at, leaving, tick);
      if (!open(leaving)) return;
    }
  }

 private:
  void look(const Problem<Data>& problem, const linear::Solution& at, Leaving& leaving,
            Tick& tick) const {
    const auto& rows = problem.rows;
    const double b = problem.free() ? at.b + rows.shift.dot(at.w) : 0.0;
    const Pair pair = region::pair_of(problem, at.w, b, at.a, tick);
    const region::Ball ball = region::ball_of(problem, pair);
    const region::Around<Data> around(rows, ball.centre, ball.radius, region::offset_rule(problem),
                                      tick);
    const RowVec& squares = rows.squares(tick);
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const Vec x = rows.row(i);
      if (problem.free()) {
        const Interval ends = around.at(x, tick);
        leaving.meet(j, ends.low, ends.high);
        continue;
      }
      const double score = x.dot(ball.centre);
      const double half =
          ball.radius * std::sqrt(squares[i]) +
          fit_.lost_in_score() *
              (x.cwiseAbs() + 2 * rows.before.cwiseAbs()).dot(ball.centre.cwiseAbs());
      leaving.meet(j, score - half, score + half);
    }
    curved_ends(problem, pair, ball, around, leaving, tick);
  }

  const Fitted<Data>& fit_;
  const Data& data_;
  Refit<Data> solve_;
  std::function<Columns()> columns_;
};

}  // namespace dualmargin::decide
