// The optimum without some rows where no steps are to be had: refits in which they have no weight,
// warm and tighter until the rows that left are decided.
#pragma once

#include <functional>
#include <utility>

#include "decide/refit.h"
#include "decide/without_rows.h"

namespace dualmargin::decide {

class Refits {
 public:
  Refits(const Fitted& fit, Refit solve, std::function<Columns()> columns)
      : fit_(fit), solve_(std::move(solve)), columns_(std::move(columns)) {}

  // see(w, b, a): whether to go on
  template <class See>
  void solve(const WithoutRows& less, See see, Tick& tick) const {
    linear::LinearProblem to_solve(less.rows, fit_.problem.phi.loss(), less.g, fit_.problem.free());
    to_solve.columns = columns_;
    const Vec& shift = fit_.problem.rows.shift;
    linear::Solution at{{fit_.pair.w, fit_.pair.b - shift.dot(fit_.pair.w)}, {fit_.pair.a}, ""};
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      at = solve_(to_solve, at, tol, tick);
      if (!see(at.w, fit_.problem.free() ? at.b + shift.dot(at.w) : 0.0, at.a)) return;
    }
  }

 private:
  const Fitted& fit_;
  Refit solve_;
  std::function<Columns()> columns_;
};

}  // namespace dualmargin::decide
