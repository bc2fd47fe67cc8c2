// The default: which of the methods of this family, in which order, for how long.
//
// SMO for the plain hinge, whatever the intercept: its dual problem is a quadratic program with
// most variables at a bound, which blocks of coordinate steps approach slowly. On kernlab's spam
// data and on 10,000 rows of magic04 at cost 100, without intercept, it took 12 and 17 epochs to a
// relative gap of 1e-4 where the blocks took more than 230 and 131. Where SMO stalls the blocks go
// on from its dual point.
//
// Dual ascent by blocks for all but small problems with a smooth loss, whose Newton steps are
// cheaper than its epochs. Where ascent is slow - its rate promises more epochs than Newton's
// method would need - or stalls, Newton's method follows, as long as its matrix is affordable.
#pragma once

#include "kernel/block_sdca.h"
#include "kernel/newton.h"
#include "kernel/smo.h"

namespace dualmargin::kernel {

inline Solution automatic(const KernelErm& problem, const SmoOptions& pairs, const Solution& start,
                          Sampler& sampler, Run& run) {
  constexpr Index small = 500, most = 6000;
  const Index n = problem.n();
  const auto blocks = [&](const Solution& from) {
    return block_sdca(problem, BlockSdcaOptions(), from, sampler, run);
  };
  const auto first_then_blocks = [&](const Solution& s) {
    if (run.ended()) return s;
    run.begin();
    return blocks(s);
  };
  if (!problem.row_loss.smooth()) return first_then_blocks(smo(problem, pairs, start, run));
  if (n <= small) return first_then_blocks(newton(problem, start, run));
  if (n > most) return blocks(start);
  // a Newton step costs about n / 12 epochs, and some eight of them finish
  const double worth = n / 1.5;
  run.begin({HUGE_VAL, 30, worth});
  Solution s = blocks(start);
  if (run.ended()) return s;
  run.begin();
  return newton(problem, s, run);
}

}  // namespace dualmargin::kernel
