// A fit of a problem to a tolerance, from a start: what questions that bounds leave open are handed.
#pragma once

#include <functional>
#include <vector>

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

// What stays of the sum of weights without the rows out[0], ..., out[count - 1]. Where these have most
// of it a difference would be rounding: then it is a sum of its own.
double weight_left(const RowVec& omega, double total, const Index* out, std::size_t count);
inline double weight_left(const RowVec& omega, double total, const std::vector<Index>& out) {
  return weight_left(omega, total, out.data(), out.size());
}

}  // namespace dualmargin::decide
