// The default: which of the methods of this wing.
//
// SMO for the plain hinge, whatever the intercept: its dual problem is a quadratic program with
// most variables at a bound, which blocks of coordinate steps approach slowly. On kernlab's spam
// data and on 10,000 rows of magic04 at cost 100, without intercept, it took 12 and 17 epochs to a
// relative gap of 1e-4 where the blocks took more than 230 and 131. For the other losses the
// blocks. Where SMO stalls they go on from its dual point.
#pragma once

#include "kernel/block_sdca.h"
#include "kernel/smo.h"

namespace dualmargin {

inline Solution automatic(const KernelErm& problem, const SmoOptions& smo_options,
                          const Solution& start, Sampler& sampler, Monitor& monitor) {
  if (problem.row_loss.smooth()) {
    return block_sdca(problem, BlockSdcaOptions(), start, sampler, monitor);
  }
  const Solution s = smo(problem, smo_options, start, monitor);
  if (monitor.ended()) return s;
  monitor.new_stage();
  return block_sdca(problem, BlockSdcaOptions(), s, sampler, monitor);
}

}  // namespace dualmargin
