// The only place where the name of a solver of the kernel family becomes a function.
#pragma once

#include <string>

#include "border/border.h"
#include "kernel/solvers.h"

namespace dualmargin::kernel {

// SMO looks at the rows whose variables move, which for many problems are the support vectors.
bool asks_for_few_rows(const std::string& solver, const Loss& loss);

// `option`: of the solver; the registry on the R side fills in every default.
Solution solve_kernel(const std::string& solver, const KernelProblem& problem,
                      const border::Options& option, const Solution& start, Sampler& sampler,
                      Run& run);
SoftmaxSolution solve_softmax(const std::string& solver, const SoftmaxProblem& problem,
                              const border::Options& option, const SoftmaxSolution& start,
                              Sampler& sampler, Run& run);

}  // namespace dualmargin::kernel
