// The rows of a linear fit as bounds on flips see them: around a centre, and in the metric of H^{-1}.
#pragma once

#include <memory>
#include <vector>

#include "decide/asked_rows.h"
#include "decide/fitted.h"
#include "decide/flip_bounds.h"

namespace dualmargin::decide {

// Whatever bounds there are.
std::vector<std::unique_ptr<FlipBound>> flip_bounds(const Fitted& fit, const RowChanges& changes,
                                                    const AskedRows& asked, Tick& tick);

}  // namespace dualmargin::decide
