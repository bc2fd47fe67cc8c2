// The root of a continuous function between two points where its signs differ.
// M. Dowell and P. Jarratt (1971), A modified regula falsi method for computing the root of an
// equation, BIT 11, 168-174, with a bisection every fourth step, which bounds the number of steps.
#pragma once

#include "base/function_ref.h"

namespace dualmargin {

// |g(root)| <= tol, or no number between the ends; the last call of g is at the root.
double illinois(FunctionRef<double(double)> g, double low, double at_low, double high,
                double at_high, double tol);

}  // namespace dualmargin
