#include "kernel/report.h"

#include <utility>

#include "run/nothing.h"

namespace dualmargin::kernel {

namespace {

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

}  // namespace

KernelReport report(const KernelProblem& problem, Solution s, Run& run) {
  const bool finite = s.a.allFinite();
  KernelReport r = certified<KernelReport>(problem, std::move(s), finite, run);
  r.intercept = r.solution.b + problem.x().constant() * r.beta.sum();
  return r;
}

SoftmaxReport report(const SoftmaxProblem& problem, SoftmaxSolution s, Run& run) {
  const bool finite = s.a.allFinite();
  SoftmaxReport r = certified<SoftmaxReport>(problem, std::move(s), finite, run);
  r.dual = r.solution.a - problem.losses.share;
  r.intercept = r.solution.b + problem.x().constant() * r.beta.colwise().sum().transpose();
  return r;
}

}  // namespace dualmargin::kernel
