#include "decide/refit.h"

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

}  // namespace dualmargin::decide
