// The largest value of a concave function of one variable.
#pragma once

#include "base/function_ref.h"

namespace dualmargin {

// argmax of a concave function on [low, high], where it has no derivative.
double golden_section(FunctionRef<double(double)> f, double low, double high, int steps = 40,
                      double width = 1e-9);

}  // namespace dualmargin
