// What a one-class fit (kernel/one_class.h) says of where the optimum is: f* is in the ball around f
// with r^2 = P - D, and rho*, the smallest of the best, between those of the lower and of the upper
// ends of the scores.
#pragma once

#include "region/of_kernel.h"

namespace dualmargin::region {

// f: of the a of the fit; u: the most of each. gap: of its certificate, which holds its rounding.
FunctionRegion one_class_region(const FunctionRows& rows, Function f, const RowVec& u, double gap);

}  // namespace dualmargin::region
