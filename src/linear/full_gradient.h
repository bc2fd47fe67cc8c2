// The full gradient of the risk at a point, the certificate that comes with it, and the gradients
// of single rows: what the variance-reduced primal methods share.
#pragma once

#include "linear/problem.h"

namespace dualmargin::linear {

struct FullGradient {
  RowVec margin;  // x_i'w
  RowVec slope;   // phi'(x_i'w), also the dual point
  Vec gradient;   // (1/W) sum_i omega_i slope_i x_i

  // One pass over the data.
  FullGradient(const LinearProblem& problem, const Vec& w, Tick& tick)
      : margin(problem.rows.multiply(w, tick)),
        slope(problem.losses.slopes(margin)),
        gradient(problem.dual_sum(slope, tick)) {}

  // With the slopes as the dual point the gap needs no further pass: for ridge it is
  // |grad P|^2 / (2 l2).
  Certificate certify(const LinearProblem& problem, Solution& s, Tick& tick) const {
    SummedDual dual{{slope}, gradient};
    const Certificate c = problem.certify({s, margin}, dual, tick);
    s.a = std::move(dual.a);
    return c;
  }
};

}  // namespace dualmargin::linear
