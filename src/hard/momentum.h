// The state of Algorithm 1 of momentum.cpp, of which the tests ask, too.
#pragma once

#include "hard/hard_margin.h"

namespace dualmargin::hard {

// w_t = A'c and q_t after t steps; g is g_{t-1} = A'cg, and mu is mu_t.
struct MomentumState {
  Vec w, g, c, cg, q, mu, p;
  double t = 0;

  explicit MomentumState(const MarginRows& rows);

  void step(const MarginRows& rows, bool logistic, Tick& tick);
};

}  // namespace dualmargin::hard
