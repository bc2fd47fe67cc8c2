// What a robust solver returns: a primal point (w, b, t) and multipliers (alpha, beta) of the rows.
#pragma once

#include "run/certificate.h"

namespace dualmargin::robust {

struct RobustPoint {
  Vec w;
  double b = 0, t = 0;
  Vec alpha, beta;
  const char* solver = "";  // the one that finished

  bool finite() const {
    return w.allFinite() && std::isfinite(b) && std::isfinite(t) && alpha.allFinite() &&
           beta.allFinite();
  }
};

// The best primal and the best dual point of a run; any feasible pair bounds the optimum. Until an
// iterate of finite numbers is offered it holds a point that every problem has, so that there
// always is one.
struct RobustIncumbent {
  RobustPoint best;
  double value = HUGE_VAL, bound = 0;

  template <class Problem>
  explicit RobustIncumbent(const Problem& problem)
      : best(problem.null_point()), null_value_(problem.null_value()) {}

  Certificate offer(const RobustPoint& s, const Certificate& c) {
    if (c.value < value) {
      value = c.value;
      best.w = s.w;
      best.b = s.b;
      best.t = s.t;
    }
    if (c.bound > bound && std::isfinite(c.bound) && c.gap >= 0) {
      bound = c.bound;
      best.alpha = s.alpha;
      best.beta = s.beta;
    }
    const double known = value < HUGE_VAL ? value : null_value_;
    return Certificate(known, known - bound);
  }

 private:
  double null_value_;
};

}  // namespace dualmargin::robust
