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
                      Refit refit, std::function<Columns()> columns) {
  const Vec& shift = problem.rows.shift;  // the solver's rows are not moved
  linear::Solution start{{std::move(w), 0}, {std::move(a)}, ""};
  start.b = b - shift.dot(start.w);
  return [&problem, &shift, at = std::move(start), origin, refit = std::move(refit),
          columns = std::move(columns)](double tol, Tick& tick) mutable {
    linear::LinearProblem to_solve(problem.rows.unmoved(), problem.losses.held, problem.g,
                                   problem.free());
    to_solve.columns = columns;
    at = refit(to_solve, at, tol, tick);
    const double own = problem.free() ? at.b + shift.dot(at.w) : 0.0;
    const region::Pair pair = region::pair_of(problem, at.w, own, at.a, tick);
    Known known{region::region_of(problem, pair, origin, tick), region::offset_rule(problem)};
    region::Region& r = known.region;
    if (!r.ellipsoid.usable()) {
      r.ellipsoid = region::secant_of(problem, pair, r.ball, r.centre, problem.rows, tick);
    }
    return known;
  };
}

}  // namespace dualmargin::decide
