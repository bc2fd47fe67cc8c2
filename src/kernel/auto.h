// The default: which of the methods of this wing, in which order, for how long.
//
// Dual ascent by blocks for all but small problems with a smooth loss, whose Newton steps are
// cheaper than its epochs. Where ascent is slow - its rate promises more epochs than Newton's
// method would need - or stalls, Newton's method follows, as long as its matrix is affordable.
#pragma once

#include "kernel/block_sdca.h"
#include "kernel/newton.h"

namespace dualmargin {

inline Solution automatic(const KernelErm& problem, const Solution& start, Sampler& sampler,
                          Monitor& monitor) {
  constexpr Index small = 500, most = 6000;
  const Index n = problem.n();
  const bool newton_can = problem.row_loss.smooth() && n <= most;
  if (newton_can && n <= small) {
    Solution s = newton(problem, start, monitor);
    if (monitor.ended()) return s;
    monitor.new_stage();
    return block_sdca(problem, BlockSdcaOptions(), s, sampler, monitor);
  }
  // a Newton step costs about n / 12 epochs, and some eight of them finish
  const double worth = n / 1.5;
  if (newton_can) monitor.new_stage({HUGE_VAL, 30, worth});
  Solution s = block_sdca(problem, BlockSdcaOptions(), start, sampler, monitor);
  if (monitor.ended() || !newton_can) return s;
  monitor.new_stage();
  return newton(problem, s, monitor);
}

}  // namespace dualmargin
