// Every optimal offset t of scores between `low` and `high`, row by row:
//
//   [inf {t : sum omega phi'_+(high_i + t) >= 0},  sup {t : sum omega phi'_-(low_i + t) <= 0}].
//
// Both sums do not decrease in t; they are compared with -+1e-13 of the sum of their sizes, since
// on the hinge's flat pieces they are 0 but for rounding. Outer ends of a bisection; an end without
// a change of sign is infinite.
#pragma once

#include <array>

#include "base/function_ref.h"
#include "loss/loss.h"
#include "rows/row_sums.h"

namespace dualmargin::region {

struct Interval {
  double low = -HUGE_VAL, high = HUGE_VAL;

  Interval intersect(const Interval& other) const;
  double width() const { return high - low; }
};

// The sums {value, size} of the slopes at scores + t decide on which side of the offset t is.
Interval offset_by(
    FunctionRef<std::array<double, 2>(const RowVec& scores, double t, bool right)> sums,
    const RowVec& low, const RowVec& high, double size);

// A number that the ends of intervals and the labels of rows with a weight are not beyond.
double largest_size(const RowSums& over, const RowSpan& omega, const RowSpan& y, const RowSpan& low,
                    const RowSpan& high);

Interval offset_interval(const Loss& phi, const RowSums& over, const RowSpan& omega,
                         const RowSpan& y, const RowVec& low, const RowVec& high);

}  // namespace dualmargin::region
