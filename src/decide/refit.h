// A fit of a problem to a tolerance, from a start: what questions that bounds leave open are handed.
#pragma once

#include <functional>

#include "linear/problem.h"
#include "region/pair.h"

namespace dualmargin::decide {

using Refit = std::function<linear::Solution(
    const linear::LinearProblem& problem, const linear::Solution& start, double tol, Tick& tick)>;

// Solves problems again whose rows are moved: points are in the coordinates of these. columns: those of
// the rows as they are stored, where a solver may have them.
struct Refits {
  Refit fit;
  std::function<Columns()> columns;

  linear::Solution solve(const region::Problem& problem, linear::Solution at, double tol,
                         Tick& tick) const;
};

// Warm and tighter, as long as something is open.
constexpr double refit_tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

// What stays the same when rows change: the penalty beside the sum of losses, or beside their mean.
enum class Rule { cost, lambda };

}  // namespace dualmargin::decide
