// What is left open of rows that are asked about: the problems of the fit themselves are solved
// further, warm and to ever less of a gap, and what each point says of the optimum meets what was
// known, until nothing is open or rounding is all that is left.
#pragma once

#include <functional>
#include <vector>

#include "base/function_ref.h"
#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

// How often problems may be solved further, and the relative gap that they have been solved to.
struct Allowed {
  double refits = 0, gap = HUGE_VAL;
};

// look(last): another look at what is open, false where nothing is; last: nothing will be solved after
// it. solve(tol): all problems, to it. How often that was.
int settle(const Allowed& allowed, FunctionRef<bool(bool)> look, FunctionRef<void(double)> solve);

// So many open rows are worth a pass over the rows of the fit each before it is solved further.
constexpr std::size_t few_open = 20;

// Rows whose class is open; of a regression those whose value is not known to a share of its size.
std::vector<Index> unsettled_rows(const std::vector<region::Ends>& ends, bool regression);

// A class problem as it is known by now.
struct Known {
  region::Region region;
  region::OffsetRule rule;
};
// The same once it is solved to a tolerance.
using Solved = std::function<Known(double tol, Tick& tick)>;

// Of the linear family. w, b, a: where the fit was, of the moved rows; origin: see region.h.
Solved solved_further(const region::Problem& problem, Vec w, double b, RowVec a, const Vec& origin,
                      Refits refits);

}  // namespace dualmargin::decide
