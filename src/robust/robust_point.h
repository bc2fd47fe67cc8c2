// What a robust solver returns: a primal point (w, b, t) and multipliers (alpha, beta) of the rows.
#pragma once

#include "core/solution.h"

namespace dualmargin {

struct RobustPoint {
  Vec w;
  double b = 0, t = 0;
  Vec alpha, beta;
  const char* solver = "";  // the one that finished
};

// The best primal and the best dual point of a run; any feasible pair bounds the optimum.
struct RobustIncumbent {
  RobustPoint best;
  double value = HUGE_VAL, bound = -HUGE_VAL;

  Certificate offer(const RobustPoint& s, const Certificate& c) {
    if (c.value < value) {
      value = c.value;
      best.w = s.w;
      best.b = s.b;
      best.t = s.t;
    }
    if (c.bound > bound) {
      bound = c.bound;
      best.alpha = s.alpha;
      best.beta = s.beta;
    }
    return Certificate(value, value - bound);
  }
};

}  // namespace dualmargin
