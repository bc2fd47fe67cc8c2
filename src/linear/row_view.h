// A problem seen by rows.
#pragma once

#include <memory>

#include "linear/proximal_newton.h"

namespace dualmargin::linear {

// rows: all of the problem, or a sample.
std::unique_ptr<View> view_by_rows(const LinearProblem& problem, Run& run, const Rows& rows);

}  // namespace dualmargin::linear
