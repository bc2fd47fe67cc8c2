// What bounds a fit's distance from its optimum, and how a run may end.
#pragma once

#include "base/numeric.h"
#include "base/rounding.h"

namespace dualmargin {

// Which point a run returns: the best so far, or the last iterate, whatever others were worth.
enum class Iterate { best, last };

// bound <= optimum <= value, for a maximum the other way round. The gap is summed without
// cancellation, term by term non-negative in exact arithmetic; `rounding`, how far the rounding of
// those terms can have moved their sum, is part of it. A gap that is negative nevertheless is not a
// small one but that of an impossible pair.
struct Certificate {
  double value = 0, bound = 0, gap = 0, rounding = 0;

  Certificate() = default;
  // Terms that are no larger than the value.
  Certificate(double value_, double terms) : Certificate(value_, terms, rounding_of(value_)) {}
  Certificate(double value_, double terms, double rounding_)
      : value(value_),
        bound(value_ - (terms + rounding_)),
        gap(terms + rounding_),
        rounding(rounding_) {}

  // The rounding of a value whose terms are together no larger than `size`.
  static double rounding_of(double size) { return rounding::of_value() * std::abs(size); }

  // A minimum is not above the value at any point, that of the null model among them.
  bool possible(double null_value) const;
  void drop_bound();

  // The scale 1e-10 P(null) keeps problems whose optimum is zero from dividing zero by zero.
  double relative_gap(double null_value) const;

  bool maximum = false;
  double iterate = std::nan("");  // the value at the last iterate, where that is another point
};

struct TraceRow {
  double epoch, seconds, value, bound, gap;
};

enum class Status {
  certified,
  max_epochs,
  max_seconds,
  stalled,
  rounding_floor,
  refused,
  conditional,    // the bound holds for solutions of limited norm only
  invalid_bound,  // a finite pair that no problem can have
  not_finite,
  not_separable,  // a maximum margin of zero
  no_fixed_point  // certified, for a size of the residuals that is not theirs
};

const char* to_string(Status status);

}  // namespace dualmargin
