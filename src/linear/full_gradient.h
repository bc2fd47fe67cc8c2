// The full gradient of the risk at a point, the certificate that comes with it, and the gradients
// of single rows: what the variance-reduced primal methods share.
#pragma once

#include "linear/erm.h"

namespace dualmargin::linear {

template <class Problem>
struct FullGradient {
  Vec margin;    // x_i'w
  Vec slope;     // phi'(x_i'w), also the dual point
  Vec gradient;  // (1/W) sum_i omega_i slope_i x_i

  // One pass over the data.
  FullGradient(const Problem& problem, const Vec& w, Tick& tick)
      : margin(problem.margins(w, tick)), slope(problem.n()) {
    for (Index i = 0; i < problem.n(); ++i) slope[i] = problem.loss.slope(margin[i], problem.y[i]);
    gradient = problem.dual_sum(slope, tick);
  }

  // With the slopes as the dual point the gap needs no further pass: for ridge it is
  // |grad P|^2 / (2 l2).
  Certificate certify(const Problem& problem, Solution& s) const {
    s.a = slope;
    Vec u = gradient;
    return problem.certify_at(s.w, margin, s.a, u);
  }
};

}  // namespace dualmargin::linear
