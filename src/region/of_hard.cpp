#include "region/of_hard.h"

#include <algorithm>
#include <utility>

#include "base/square.h"

namespace dualmargin::region {

OffsetRule middle_rule(const Rows& rows) {
  return [&rows](const RowVec& low, const RowVec& high) {
    const auto nearest = [&](const RowVec& z, double side) {  // the least of side z in the class
      return -rows.max([&](Index i) {
        return rows.weights[i] > 0 && rows.y[i] * side > 0 ? -side * z[i] : -HUGE_VAL;
      });
    };
    const auto middle = [&](const RowVec& z) { return -(nearest(z, 1) - nearest(z, -1)) / 2; };
    const Interval ends{middle(high), middle(low)};
    const double lost = rounding::of(4) * std::max(std::abs(ends.low), std::abs(ends.high));
    return Interval{ends.low - lost, ends.high + lost};
  };
}

namespace {

// q: the dual variables, made >= 0 with sum 1, half in each class where the intercept is free.
// 1 + |m|^2 - 2 (lo/hi)^(1/2) in a form that does not cancel:
// 2 (1 - (lo/hi)^(1/2)) - |w - p/hi|^2/4 - (1 - |p/hi|^2)/2, where |w| = 1.
Ball margin_ball(const Problem& problem, const Vec& w, RowVec q, double gap, double bound,
                 Tick& tick) {
  const auto& rows = problem.rows;
  const Index n = problem.n();
  const double short_by = std::max(0.0, gap) / bound, d = static_cast<double>(w.size());
  const double unit = std::abs(w.norm() - 1) + rounding::of(8 * d);
  Ball ball{w, HUGE_VAL, gap};
  if (!std::isfinite(short_by)) return ball;
  ball.radius = std::sqrt(2 * short_by + rounding::of(64)) + unit;
  if (q.size() != n) return ball;
  for (Index i = 0; i < n; ++i) q[i] = std::max(q[i], 0.0);
  const bool free = problem.free();
  const auto total = [&](bool plus) {
    const double sum = rows.accurate_sum(
        [&](Index i) { return !free || (problem.y(i) > 0) == plus ? q[i] : 0.0; });
    return free ? 2 * sum : sum;
  };
  const double plus = total(true), minus = total(false);
  if (!(std::isfinite(plus + minus) && plus > 0 && minus > 0)) return ball;
  for (Index i = 0; i < n; ++i) q[i] /= problem.y(i) > 0 ? plus : minus;
  const Vec direction = rows.transpose_multiply(RowVec(q * problem.losses.y), tick) / bound;
  // of the sum over the rows, relative to hi
  const Vec sizes = rows.column_sizes(q, tick).stored;
  const double off = problem.cross_rounding() * sizes.norm() / bound + rounding::of(16 * d);
  const double apart = std::max(0.0, (w - direction).norm() - off);
  const double inside = (1 - direction.squaredNorm()) / 2 - 2 * off;
  const double left =
      2 * short_by / (1 + std::sqrt(std::max(0.0, 1 - short_by))) - apart * apart / 4 - inside;
  const double radius = std::sqrt(square_above(left, rounding::of(64))) + unit + off;
  if (radius < ball.radius) {
    ball.centre = 0.5 * (w + direction);
    ball.radius = radius;
  }
  return ball;
}

}  // namespace

Region hard_region(const Problem& problem, const Vec& w, double b, const RowVec& q, double gap,
                   double bound, const Vec& origin, Tick& tick) {
  Region r;
  r.w = w;
  r.b = b;
  r.free = problem.free();
  r.zero.assign(static_cast<std::size_t>(w.size()), 0);
  r.ball = margin_ball(problem, w, q, gap, bound, tick);
  if (r.free) {
    const Around around(problem.rows, r.ball.centre, r.ball.radius, middle_rule(problem.rows),
                        tick);
    r.centre = around.centre(tick);
    r.intercept = around.at(origin, tick);
  }
  return r;
}

}  // namespace dualmargin::region
