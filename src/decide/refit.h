// A fit of a problem to a tolerance, from a start: what questions that bounds leave open are handed.
#pragma once

#include <functional>

#include "linear/problem.h"

namespace dualmargin::decide {

using Refit = std::function<linear::Solution(
    const linear::LinearProblem& problem, const linear::Solution& start, double tol, Tick& tick)>;

// What stays the same when rows change: the penalty beside the sum of losses, or beside their mean.
enum class Rule { cost, lambda };

}  // namespace dualmargin::decide
