#include "decide/refit.h"

#include <unordered_set>

namespace dualmargin::decide {

linear::Solution Refits::solve(const region::Problem& problem, linear::Solution at, double tol,
                               Tick& tick) const {
  linear::LinearProblem to_solve(problem.rows.unmoved(), problem.losses.held, problem.g,
                                 problem.free());
  to_solve.columns = columns;
  const Vec& shift = problem.rows.shift;
  at.b -= shift.dot(at.w);
  at = fit(to_solve, at, tol, tick);
  at.b = problem.free() ? at.b + shift.dot(at.w) : 0.0;
  return at;
}

double weight_left(const RowVec& omega, double total, const Index* out, std::size_t count) {
  double left = total;
  for (std::size_t k = 0; k < count; ++k) left -= omega[out[k]];
  if (2 * left > total) return left;
  const std::unordered_set<Index> gone(out, out + count);
  left = 0;
  for (Index i = 0; i < omega.size(); ++i) {
    if (gone.count(i) == 0) left += omega[i];
  }
  return left;
}

}  // namespace dualmargin::decide
