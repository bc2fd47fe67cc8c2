// The root of a continuous function between two points where its signs differ.
// M. Dowell and P. Jarratt (1971), A modified regula falsi method for computing the root of an
// equation, BIT 11, 168-174, with a bisection every fourth step, which bounds the number of steps.
#pragma once

#include "base/function_ref.h"

namespace dualmargin {

// |g(root)| <= tol, or no number between the ends; the last call of g is at the root.
double illinois(FunctionRef<double(double)> g, double low, double at_low, double high,
                double at_high, double tol);

// The largest value of a concave function of one variable.

// argmax of a concave function on [low, high], where it has no derivative.
double golden_section(FunctionRef<double(double)> f, double low, double high, int steps = 40,
                      double width = 1e-9);

}  // namespace dualmargin
