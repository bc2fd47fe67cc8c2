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

#include <functional>
#include <utility>
#include <vector>

#include "region/ball.h"
#include "region/ellipsoid.h"
#include "region/offset.h"
#include "region/tilt.h"

namespace dualmargin::region {

template <class Vector, class AnyEllipsoid>
struct RegionIn {
  Vector w;
  double b = 0;
  bool free = false;
  BallIn<Vector> ball;
  Interval centre{0, 0};  // of b* in the coordinates of the moved rows
  TiltIn<Vector> tilt;
  AnyEllipsoid ellipsoid;
};
struct Region : RegionIn<Vec, Ellipsoid> {
  Interval intercept;     // of the user's b*, where it is free
  double offset = 0;      // of all scores
  std::vector<int> zero;  // which w*_j are 0
};

struct Ends {
  RowVec low, high;

  void intersect(Index i, const Interval& own);
  void intersect(const Ends& other);
};
// Of each of some scores: all numbers.
std::vector<Ends> nothing_of(Index n, Index scores);

inline RowVec distances_to(const Rows& rows, Index i, Tick& tick) {
  return rows.squared_distances(rows.row(i), tick);
}

// Every optimal offset of scores within [low_i, high_i].
using OffsetRule = std::function<Interval(const RowVec& low, const RowVec& high)>;

template <class Geometry>
OffsetRule offset_rule(const ProblemIn<Geometry>& problem);

// Scores of the rows at the centre of a ball: what the offsets around a point follow from.
struct AroundRows {
  double radius;
  OffsetRule rule;
  RowVec score, rounding;

  // squares: |x_i - x|^2 from above; here: the score of x, off by `lost` at most, as those of the
  // rows.
  Interval over(const RowVec& squares, double here, double lost) const;
};

template <class Geometry, class Vector>
AroundRows around_of(const Geometry& rows, const BallIn<Vector>& ball, OffsetRule rule,
                     Tick& tick) {
  return {ball.radius, std::move(rule), rows.multiply(ball.centre, tick),
          rows.roundings(ball.centre, 0, tick)};
}

// The interval of b* + at'w*, the optimal score at a point.
class Around {
 public:
  Around(const Rows& rows, const Vec& middle, double radius, OffsetRule rule, Tick& tick);

  Interval centre(Tick& tick) const { return around_.over(rows_.squares(tick), 0, 0); }
  Interval at(const Vec& x, Tick& tick) const;

 private:
  const Rows& rows_;
  const Vec& middle_;
  AroundRows around_;
};

// The optimal score of one point by the ellipsoid alone.
Interval ellipsoid_interval(const Ellipsoid& e, const Vec& w, double b, const Vec& at);

// origin: where the user's x = 0 lies among the moved rows; curved: with ellipsoid and tilt, for
// more than a pass over the rows.
Region region_of(const Problem& problem, const Pair& pair, const Vec& origin, Tick& tick,
                 bool curved = true);

// By a ball and the range of the offset at the centre of the rows: of rows with these scores at the
// centre of the ball, off by `lost`, and |x_i|^2.
Ends ball_ends(double radius, const Interval& centre, double offset, const RowVec& middle,
               const RowVec& lost, const RowVec& squares);

// Of moved rows, in the coordinates of those of the problem.
Ends intervals(const Region& r, const Rows& rows, Tick& tick);

}  // namespace dualmargin::region
