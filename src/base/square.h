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

}  // namespace dualmargin
