// What leaves the kernel family: the returned point with its certificate recomputed from exact
// kernel values, and how the run ended.
#pragma once

#include "kernel/kernel_problem.h"
#include "run/nothing.h"
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

// Certified by exact kernel values, with the coefficients of the function.
template <class Report, class Problem, class Solution>
Report certified(const Problem& problem, Solution s, bool finite, Run& run) {
  Report r;
  const Certificate c = certify_or_nothing(problem, s, run);
  const double floor = problem.space.rounding_floor(c.value);
  static_cast<Outcome&>(r) = Outcome(c, finite && s.f.allFinite(), floor, run);
  r.negative = problem.space.negative();
  r.beta = s.beta.size() > 0 ? s.beta : problem.coefficients(s);
  r.solution = std::move(s);
  return r;
}

inline KernelReport report(const KernelProblem& problem, Solution s, Run& run) {
  const bool finite = s.a.allFinite();
  KernelReport r = certified<KernelReport>(problem, std::move(s), finite, run);
  r.intercept = r.solution.b + problem.x().constant() * r.beta.sum();
  return r;
}

inline SoftmaxReport report(const SoftmaxProblem& problem, SoftmaxSolution s, Run& run) {
  const bool finite = s.a.allFinite();
  SoftmaxReport r = certified<SoftmaxReport>(problem, std::move(s), finite, run);
  r.dual = r.solution.a - problem.losses.share;
  r.intercept = r.solution.b + problem.x().constant() * r.beta.colwise().sum().transpose();
  return r;
}

}  // namespace dualmargin::kernel
