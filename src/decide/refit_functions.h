// A fit of a kernel problem to a tolerance, from a start, of rows whose kernel values stay.
#pragma once

#include <functional>

#include "kernel/kernel_problem.h"
#include "region/function_rows.h"

namespace dualmargin::decide {

using FunctionRefit = std::function<kernel::Solution(
    const kernel::KernelProblem& problem, const kernel::Solution& start, double tol, Tick& tick)>;

// The kernel, with its size but for the constant of an intercept, and the loss as the methods take
// it.
struct FunctionRefits {
  const Gram& gram;
  const KernelSize& size;
  LossPtr loss;
  FunctionRefit refit;

  kernel::Solution solve(const region::Samples& samples, double lambda, bool free,
                         const kernel::Solution& start, double tol, Tick& tick) const;
};

}  // namespace dualmargin::decide
