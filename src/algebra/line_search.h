// The exact step along a descent direction of a convex function.
#pragma once

#include "base/function_ref.h"

namespace dualmargin {

// Slopes from the left and from the right at a point of the line, and the second derivative.
struct LineSlope {
  double left, right, curvature;
};

// Zero of the slope of t -> F(t), F convex, to a tenth of its size at t = 0: Newton's method inside
// a bracket. `slope_at(t)` returns a LineSlope. F at the returned step is never above F(0).
double exact_step(double slope_at_zero, FunctionRef<LineSlope(double)> slope_at);

}  // namespace dualmargin
