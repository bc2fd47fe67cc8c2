// The optimum without some rows where Newton steps are not to be had: refits in which they have no
// weight, warm and tighter until the rows that left are decided. Around each the curvature that is
// certain narrows further (region/secant.h).
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "decide/refit.h"
#include "decide/removal_steps.h"
#include "region/secant.h"

namespace dualmargin::decide {

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
    if (problem.phi.gamma() == 0) return;
    const region::Ellipsoid curved = region::secant_of(
        problem, pair, ball, problem.free() ? around.centre(tick) : Interval{0, 0}, tick);
    if (!curved.usable()) return;
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const double half = curved.norms[i] * curved.radius + pair.z_rounding[i];
      leaving.meet(j, pair.z[i] - half, pair.z[i] + half);
    }
  }

  const Fitted<Data>& fit_;
  const Data& data_;
  Refit<Data> solve_;
  std::function<Columns()> columns_;
};

}  // namespace dualmargin::decide
