// A loss whose slope is piecewise linear, written down as its pieces.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

// phi'(z; +1) = offset + rate z for z up to `until` (and beyond the piece before); HUGE_VAL in the
// last one. Where two pieces do not meet the loss has a kink.
struct SlopePiece {
  double until, offset, rate;
};

}  // namespace dualmargin
