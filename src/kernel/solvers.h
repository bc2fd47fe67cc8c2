// The solvers of the kernel family, each in a file of its name.
#pragma once

#include "kernel/kernel_problem.h"
#include "run/run.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

struct BlockSdcaOptions {
  Index block = 128;
  int inner_passes = 10;
  Index memory = 8;
};

struct SmoOptions {
  bool shrinking = true;
  double cache_bytes = 0;  // for rows of a kernel that is not stored
};

struct InteriorPointOptions {
  double cache_bytes = 0;  // for G: columns beyond are left out
};

struct SgdOptions {
  bool permute = false;
  double step = 1e-3;
};

template <class Problem>  // either
typename Problem::Solution block_sdca(const Problem& problem, const BlockSdcaOptions& options,
                                      const typename Problem::Solution& start, Sampler& sampler,
                                      Run& run);
Solution newton(const KernelProblem& problem, const Solution& start, Run& run);
SoftmaxSolution newton(const SoftmaxProblem& problem, const SoftmaxSolution& start, Run& run);
Solution smo(const KernelProblem& problem, const SmoOptions& options, const Solution& start,
             Run& run);
Solution interior_point(const KernelProblem& problem, const InteriorPointOptions& options,
                        const Solution& start, Run& run);
Solution sdca(const KernelProblem& problem, bool permute, const Solution& start, Sampler& sampler,
              Run& run);
Solution mixup_naive(const KernelProblem& problem, bool permute, const Solution& start,
                     Sampler& sampler, Run& run);
Solution mixup_approx(const KernelProblem& problem, bool permute, const Solution& start,
                      Sampler& sampler, Run& run);
Solution mixup_decomp(const KernelProblem& problem, bool permute, const Solution& start,
                      Sampler& sampler, Run& run);
Solution sgd(const KernelProblem& problem, const SgdOptions& options, const Solution& start,
             Sampler& sampler, Run& run);

// auto.cpp
Solution automatic(const KernelProblem& problem, const SmoOptions& smo_options,
                   const InteriorPointOptions& inner_options, const Solution& start,
                   Sampler& sampler, Run& run);
SoftmaxSolution automatic(const SoftmaxProblem& problem, const SoftmaxSolution& start,
                          Sampler& sampler, Run& run);

}  // namespace dualmargin::kernel
