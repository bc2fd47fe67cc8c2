#include "region/region.h"

#include <algorithm>
#include <utility>

#include "region/secant.h"

namespace dualmargin::region {

void Ends::intersect(Index i, const Interval& own) {
  low[i] = std::max(low[i], own.low);
  high[i] = std::min(high[i], own.high);
}

void Ends::intersect(const Ends& other) {
  for (Index i = 0; i < low.size(); ++i) intersect(i, {other.low[i], other.high[i]});
}

std::vector<Ends> nothing_of(Index n, Index scores) {
  const Ends open{RowVec::Constant(n, -HUGE_VAL), RowVec::Constant(n, HUGE_VAL)};
  return std::vector<Ends>(static_cast<std::size_t>(scores), open);
}

template <class Geometry>
OffsetRule offset_rule(const ProblemIn<Geometry>& problem) {
  return [&problem](const RowVec& low, const RowVec& high) {
    const auto& rows = problem.rows;
    return offset_interval(problem.phi, rows, rows.weights, rows.y, low, high);
  };
}

Interval AroundRows::over(const RowVec& squares, double here, double lost) const {
  const Index n = squares.size();
  RowVec low(n), high(n);
  for (Index i = 0; i < n; ++i) {
    const double half = radius * std::sqrt(squares[i]) + rounding[i] + lost, z = score[i] - here;
    low[i] = z - half;
    high[i] = z + half;
  }
  return rule(low, high);
}

Around::Around(const Rows& rows, const Vec& middle, double radius, OffsetRule rule, Tick& tick)
    : rows_(rows),
      middle_(middle),
      around_{radius, std::move(rule), rows.multiply(middle, tick),
              rows.roundings(middle, 0, tick)} {
  rows.squares(tick);
}

Interval Around::at(const Vec& x, Tick& tick) const {
  const double here = x.dot(middle_), size = x.cwiseAbs().dot(middle_.cwiseAbs());
  const double lost =
      rounding::of(2 * (static_cast<double>(rows_.dim()) + 4)) * (std::abs(here) + size);
  return around_.over(rows_.squared_distances(x, tick), here, lost);
}

Interval ellipsoid_interval(const Ellipsoid& e, const Vec& w, double b, const Vec& at) {
  if (!e.usable()) return {};
  const Index d = w.size();
  Vec v(d + e.free);
  v.head(d) = at;
  if (e.free) v[d] = 1;
  const double half =
      e.factor.norm(v) * e.radius + rounding::of(2 * (static_cast<double>(d) + 3)) *
                                        (2 * at.cwiseAbs().dot(w.cwiseAbs()) + std::abs(b));
  const double score = at.dot(w) + b;
  return {score - half, score + half};
}

Region region_of(const Problem& problem, const Pair& pair, const Vec& origin, Tick& tick,
                 bool curved) {
  Region r;
  r.w = pair.w;
  r.b = pair.b;
  r.free = problem.free();
  r.ball = ball_of(problem, pair);
  r.zero = zeros_of(problem, pair, r.ball.gap, tick);
  if (curved) r.ellipsoid = ellipsoid_of(problem, pair, tick);
  if (r.free) {
    const Around around(problem.rows, r.ball.centre, r.ball.radius, offset_rule(problem), tick);
    r.centre = around.centre(tick);
    r.intercept =
        around.at(origin, tick).intersect(ellipsoid_interval(r.ellipsoid, r.w, r.b, origin));
    if (curved) r.tilt = tilt_of(problem, pair, tick);
  }
  return r;
}

Ends ball_ends(double radius, const Interval& centre, double offset, const RowVec& middle,
               const RowVec& lost, const RowVec& squares) {
  const Index n = middle.size();
  Ends ends{RowVec(n), RowVec(n)};
  const auto size = [](double end) { return std::isfinite(end) ? std::abs(end) : 0.0; };
  const double shared =
      rounding::of(4) * std::max({size(centre.low), size(centre.high), std::abs(offset)});
  for (Index i = 0; i < n; ++i) {
    const double half = radius * std::sqrt(squares[i]) * (1 + rounding::of(4)) + lost[i];
    ends.low[i] = middle[i] + centre.low + offset - half - shared;
    ends.high[i] = middle[i] + centre.high + offset + half + shared;
  }
  return ends;
}

Ends intervals(const Region& r, const Rows& rows, Tick& tick) {
  const Index n = rows.n();
  Ends ends = ball_ends(r.ball.radius, r.centre, r.offset, rows.multiply(r.ball.centre, tick),
                        rows.roundings(r.ball.centre, 0, tick), rows.squares(tick));
  if (!r.tilt.usable() && !r.ellipsoid.usable()) return ends;
  const RowVec score = rows.multiply(r.w, tick) + r.b, lost = rows.roundings(r.w, r.b, tick);
  const auto narrow = [&](Index i, double down, double up) {
    ends.low[i] = std::max(ends.low[i], score[i] - down - lost[i]);
    ends.high[i] = std::min(ends.high[i], score[i] + up + lost[i]);
  };
  if (r.tilt.usable()) {
    const RowVec squares = rows.squared_distances(r.tilt.centre, tick),
                 along = rows.multiply(r.tilt.e, tick);
    const double here = r.tilt.centre.dot(r.tilt.e), own = r.tilt.e.squaredNorm();
    const double off = rounding::of(64 * (static_cast<double>(r.tilt.e.size()) + 4));
    rows.for_ranges(
        [&](Index begin, Index end, Tick& t) {
          for (Index i = begin; i < end; ++i, t.row(i)) {
            const Reach reach = tilt_reach(r.tilt, squares[i], along[i] - here, own, off);
            narrow(i, reach.down, reach.up);
          }
        },
        tick);
  }
  if (r.ellipsoid.usable()) {
    const RowVec norms = inverse_norms(r.ellipsoid.factor, rows, tick);
    for (Index i = 0; i < n; ++i) {
      const double half = norms[i] * r.ellipsoid.radius;
      narrow(i, half, half);
    }
  }
  return ends;
}

template OffsetRule offset_rule(const ProblemIn<Rows>&);
template OffsetRule offset_rule(const ProblemIn<FunctionRows>&);

}  // namespace dualmargin::region
