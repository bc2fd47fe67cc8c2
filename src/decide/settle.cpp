#include "decide/settle.h"

#include <algorithm>
#include <utility>

#include "region/classes.h"
#include "region/secant.h"

namespace dualmargin::decide {

int settle(const Allowed& allowed, FunctionRef<bool(bool)> look, FunctionRef<void(double)> solve) {
  constexpr double first = 1e-3, step = 1e-3, least = 1e-15;
  double gap = std::min(allowed.gap, first);
  for (int done = 0;; ++done) {
    const bool last = !(done < allowed.refits && gap > least);
    if (!look(last) || last) return done;
    gap = std::max(least, step * gap);
    solve(gap);
  }
}

std::vector<Index> unsettled_rows(const std::vector<region::Ends>& ends, bool regression) {
  if (!regression) return region::open_rows(ends);
  constexpr double precise = 1e-8;
  std::vector<Index> open;
  const region::Ends& one = ends[0];
  for (Index i = 0; i < one.low.size(); ++i) {
    const double size = std::max({1.0, std::abs(one.low[i]), std::abs(one.high[i])});
    if (!(one.high[i] - one.low[i] <= precise * size)) open.push_back(i);
  }
  return open;
}

Solved solved_further(const region::Problem& problem, Vec w, double b, RowVec a, const Vec& origin,
                      Refits refits) {
  return [&problem, at = linear::Solution{{std::move(w), b}, {std::move(a)}, ""}, origin,
          refits = std::move(refits)](double tol, Tick& tick) mutable {
    at = refits.solve(problem, std::move(at), tol, tick);
    const region::Pair pair = region::pair_of(problem, at.w, at.b, at.a, tick);
    Known known{region::region_of(problem, pair, origin, tick), region::offset_rule(problem)};
    region::Region& r = known.region;
    if (!r.ellipsoid.usable()) {
      r.ellipsoid = region::secant_of(problem, pair, r.ball, r.centre, problem.rows, tick);
    }
    return known;
  };
}

}  // namespace dualmargin::decide
