// What is a square in exact arithmetic, a squared length or distance, as it was computed. Below zero
// by more than rounding it is none: that is for its user to tell, and no 0.
#pragma once

#include <algorithm>
#include <cmath>

namespace dualmargin {

struct Square {
  double computed, rounding;  // and how far rounding can have moved it

  bool possible() const { return computed >= -rounding; }  // false for NaN, too
  double value() const { return std::max(0.0, computed); }
  double root() const { return std::sqrt(value()); }
  double most() const { return std::max(0.0, computed + rounding); }
};

// From above, of a difference of squares that rounding moved by so much.
inline double square_above(double square, double rounding) {
  return std::max(square, 0.0) + rounding;
}

}  // namespace dualmargin
