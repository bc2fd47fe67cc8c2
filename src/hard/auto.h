// The default: coordinate descent until the support is nearly known, then the exact active set.
#pragma once

#include "hard/active_set.h"
#include "hard/dual_cd.h"

namespace dualmargin {

inline HardSolution automatic(const HardMargin& problem, Sampler& sampler, Monitor& monitor) {
  std::vector<Index> start;
  if (!problem.free_intercept && !problem.rows.is_kernel()) {
    Monitor warm = monitor.inner(3e-2, 50);
    const HardSolution rough = dual_descent(problem, true, sampler, warm);
    for (Index e = 0; e < rough.q.size(); ++e) {
      if (rough.q[e] > 0) start.push_back(e);
    }
    monitor.spend(warm.epoch());
  }
  HardSolution s = active_set(problem, ActiveSetOptions(), start, monitor);
  return s;
}

}  // namespace dualmargin
