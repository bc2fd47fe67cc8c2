// The default for the softmax problem: dual ascent by blocks, which a good kernel needs some ten
// epochs of; where it is slow or stalls Newton's method, as long as its matrices, one for each
// class, are affordable; and the blocks again where rounding ends that before the tolerance.
#pragma once

#include "kernel/auto.h"
#include "kernel/softmax_newton.h"
#include "kernel/softmax_sdca.h"

namespace dualmargin::kernel {

inline SoftmaxSolution softmax_automatic(const SoftmaxProblem& problem,
                                         const SoftmaxSolution& start, Sampler& sampler, Run& run) {
  constexpr double most = 4e7;  // entries of the matrices
  const double n = static_cast<double>(problem.n());
  const bool affordable = n * n * static_cast<double>(problem.classes()) <= most;
  using Method = Stage<SoftmaxSolution>;
  const Method blocks{StopRule(),
                      [&](const SoftmaxSolution& from) {
                        return softmax_sdca(problem, BlockSdcaOptions(), from, sampler, run);
                      },
                      nullptr};
  const Method by_newton{
      StopRule(), [&](const SoftmaxSolution& from) { return softmax_newton(problem, from, run); },
      nullptr};
  Method trial = blocks;
  trial.rule = {HUGE_VAL, 30, n / 1.5};  // some eight Newton steps of n / 12 epochs finish
  std::vector<Method> stages{blocks};
  if (affordable) stages = {trial, by_newton, blocks};
  return relay<SoftmaxSolution>(start, stages, run, [&](auto before, auto after) {
    return better(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace dualmargin::kernel
