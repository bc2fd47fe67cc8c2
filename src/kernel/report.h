// What leaves the kernel family: the returned point with its certificate recomputed from exact
// kernel values, and how the run ended.
#pragma once

#include "kernel/kernel_problem.h"
#include "run/outcome.h"

namespace dualmargin::kernel {

struct KernelReport : Outcome {
  NegativeSquare negative;
  Solution solution;
  Vec beta;
  double intercept = 0;
  double near = 0;   // the intercept of rows that were moved, as intercept is that of the user's
  double level = 0;  // what was taken from the response before the fit
};

struct SoftmaxReport : Outcome {
  NegativeSquare negative;
  SoftmaxSolution solution;
  Mat dual, beta;
  Vec intercept, near;  // as in KernelReport
};

KernelReport report(const KernelProblem& problem, Solution s, Run& run);
SoftmaxReport report(const SoftmaxProblem& problem, SoftmaxSolution s, Run& run);

}  // namespace dualmargin::kernel
