#include "decide/removal_refits.h"

namespace dualmargin::decide {

void Refits::solve(const WithoutRows& less,
                   FunctionRef<bool(const Vec& w, double b, const RowVec& a)> see,
                   Tick& tick) const {
  linear::LinearProblem to_solve(less.rows.unmoved(), fit_.problem.losses.held, less.g,
                                 fit_.problem.free());
  to_solve.columns = columns_;
  const Vec& shift = fit_.problem.rows.shift;
  linear::Solution at{{fit_.pair.w, fit_.pair.b - shift.dot(fit_.pair.w)}, {fit_.pair.a}, ""};
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    at = solve_(to_solve, at, tol, tick);
    if (!see(at.w, fit_.problem.free() ? at.b + shift.dot(at.w) : 0.0, at.a)) return;
  }
}

}  // namespace dualmargin::decide
