// What a pair says of where the optimum of a problem is: a ball, with a free intercept the range of
// every optimal offset over it, a tilt, an ellipsoid. Questions to it are answered by their meet:
//
//   intervals   of the optimal score x'w* + b* of rows, which need not be those of the problem
//   of_coefficient, zero   of w*_j
//   intercept   of the user's b*
//
// with a free intercept also `Around`, the optimal score of one row by the offset around that row,
// at the price of a pass over the rows of the problem.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "region/ball.h"
#include "region/ellipsoid.h"
#include "region/offset.h"
#include "region/tilt.h"

namespace dualmargin::region {

struct Region {
  Vec w;
  double b = 0;
  bool free = false;
  Ball ball;
  Interval centre{0, 0};  // of b* in the coordinates of the moved rows
  Interval intercept;     // of the user's b*, where it is free
  double offset = 0;      // of all scores
  std::vector<int> zero;  // which w*_j are 0
  Tilt tilt;
  Ellipsoid ellipsoid;
};

struct Ends {
  RowVec low, high;

  void intersect(Index i, const Interval& own) {
    low[i] = std::max(low[i], own.low);
    high[i] = std::min(high[i], own.high);
  }
  void intersect(const Ends& other) {
    for (Index i = 0; i < low.size(); ++i) intersect(i, {other.low[i], other.high[i]});
  }
};

// Every optimal offset of scores within [low_i, high_i].
using OffsetRule = std::function<Interval(const RowVec& low, const RowVec& high)>;

template <class Geometry>
OffsetRule offset_rule(const ProblemIn<Geometry>& problem) {
  return [&problem](const RowVec& low, const RowVec& high) {
    const auto& rows = problem.rows.rows;
    return offset_interval(problem.phi, rows, rows.weights, rows.y, low, high);
  };
}

// Scores of the rows at the centre of a ball: what the offsets around a point follow from.
struct AroundRows {
  double radius;
  OffsetRule rule;
  RowVec score, rounding;

  // squares: |x_i - x|^2 from above; here: the score of x, off by `lost` at most, as those of the
  // rows.
  Interval over(const RowVec& squares, double here, double lost) const {
    const Index n = squares.size();
    RowVec low(n), high(n);
    for (Index i = 0; i < n; ++i) {
      const double half = radius * std::sqrt(squares[i]) + rounding[i] + lost, z = score[i] - here;
      low[i] = z - half;
      high[i] = z + half;
    }
    return rule(low, high);
  }
};

// The interval of b* + at'w*, the optimal score at a point.
class Around {
 public:
  Around(const MovedRows& rows, const Vec& middle, double radius, OffsetRule rule, Tick& tick)
      : rows_(rows),
        middle_(middle),
        around_{radius, std::move(rule), rows.multiply(middle, tick),
                rows.roundings(middle, 0, tick)} {
    rows.squares(tick);
  }

  Interval centre(Tick& tick) const { return around_.over(rows_.squares(tick), 0, 0); }
  Interval at(const Vec& x, Tick& tick) const {
    const double here = x.dot(middle_), size = x.cwiseAbs().dot(middle_.cwiseAbs());
    const double lost =
        rounding::of(2 * (static_cast<double>(rows_.dim()) + 4)) * (std::abs(here) + size);
    return around_.over(rows_.squared_distances(x, tick), here, lost);
  }

 private:
  const MovedRows& rows_;
  const Vec& middle_;
  AroundRows around_;
};

// The optimal score of one point by the ellipsoid alone.
inline Interval ellipsoid_interval(const Ellipsoid& e, const Vec& w, double b, const Vec& at) {
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

// origin: where the user's x = 0 lies among the moved rows; curved: with ellipsoid and tilt, for
// more than a pass over the rows.
inline Region region_of(const Problem& problem, const Pair& pair, const Vec& origin, Tick& tick,
                        bool curved = true) {
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

// By a ball and the range of the offset at the centre of the rows: of rows with these scores at the
// centre of the ball, off by `lost`, and |x_i|^2.
inline Ends ball_ends(double radius, const Interval& centre, double offset, const RowVec& middle,
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

// Of moved rows, in the coordinates of those of the problem.
inline Ends intervals(const Region& r, const MovedRows& rows, Tick& tick) {
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
    rows.rows.for_ranges(
        [&](Index begin, Index end, Tick& t) {
          for (Index i = begin; i < end; ++i, t.row(i)) {
            const Reach reach = tilt_reach(r.tilt, squares[i], along[i] - here, own, off);
            narrow(i, reach.down, reach.up);
          }
        },
        tick);
  }
  if (r.ellipsoid.usable()) {
    const RowVec norms = inverse_norms(r.ellipsoid.factor, rows, r.ellipsoid.free, tick);
    for (Index i = 0; i < n; ++i) {
      const double half = norms[i] * r.ellipsoid.radius;
      narrow(i, half, half);
    }
  }
  return ends;
}

}  // namespace dualmargin::region
