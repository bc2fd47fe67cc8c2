// The default for the softmax problem: dual ascent by blocks, which a good kernel needs some ten
// epochs of; where it is slow or stalls Newton's method, as long as its matrices, one for each
// class, are affordable; and the blocks again where rounding ends that before the tolerance.
#pragma once

#include "kernel/softmax_newton.h"
#include "kernel/softmax_sdca.h"

namespace dualmargin::kernel {

inline SoftmaxSolution softmax_automatic(const SoftmaxErm& problem, const SoftmaxSolution& start,
                                         Sampler& sampler, Run& run) {
  constexpr double most = 4e7;  // entries of the matrices
  const double n = static_cast<double>(problem.n());
  const auto blocks = [&](const SoftmaxSolution& from) {
    return softmax_sdca(problem, BlockSdcaOptions(), from, sampler, run);
  };
  if (n * n * static_cast<double>(problem.classes()) > most) return blocks(start);
  // some eight Newton steps of n / 12 epochs finish
  run.begin({HUGE_VAL, 30, n / 1.5});
  SoftmaxSolution s = blocks(start);
  if (run.ended()) return s;
  run.begin();
  s = softmax_newton(problem, s, run);
  if (run.ended()) return s;
  run.begin();
  return blocks(s);
}

}  // namespace dualmargin::kernel
