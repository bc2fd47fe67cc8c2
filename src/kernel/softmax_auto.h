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
  const double n = static_cast<double>(problem.n()),
               entries = n * n * static_cast<double>(problem.classes());
  using Method = std::function<SoftmaxSolution(const SoftmaxSolution&)>;
  const Method blocks = [&](const SoftmaxSolution& from) {
    return softmax_sdca(problem, BlockSdcaOptions(), from, sampler, run);
  };
  const Method by_newton = [&](const SoftmaxSolution& from) {
    return softmax_newton(problem, from, run);
  };
  std::vector<Stage<SoftmaxSolution>> stages;
  if (entries <= CostModel::most_softmax_entries) {
    stages.push_back({CostModel::before_softmax_newton(problem.n()), blocks});
    stages.push_back({StopRule(), by_newton});
  }
  stages.push_back({StopRule(), blocks});
  return relay<SoftmaxSolution>(start, stages, run, [&](auto before, auto after) {
    return better(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace dualmargin::kernel
