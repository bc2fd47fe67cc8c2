// What leaves the kernel family: the returned point with its certificate recomputed from exact
// kernel values, and how the run ended.
#pragma once

#include "kernel/kernel_erm.h"
#include "kernel/softmax_erm.h"
#include "linear/report.h"
#include "run/outcome.h"

namespace dualmargin::kernel {

struct KernelReport : Outcome {
  KernelSolution solution;  // w: scores without a free intercept
  Vec beta;
  double intercept = 0;
  double level = 0;  // what was taken from the response before the fit
};

inline KernelReport report(const KernelErm& problem, KernelSolution s, Run& run) {
  KernelReport r;
  const Certificate c = problem.certify_exactly(s, run);
  const bool finite = s.a.allFinite() && s.w.allFinite();
  static_cast<Outcome&>(r) = Outcome(c, finite, rounding_floor<Gram>(problem, c.value), run);
  r.beta = s.beta.size() > 0 ? s.beta : problem.coefficients(s.a);
  r.intercept = s.b + problem.x.constant() * r.beta.sum();
  r.solution = std::move(s);
  return r;
}

struct SoftmaxReport : Outcome {
  SoftmaxSolution solution;
  Mat dual, beta;
  Vec intercept;
};

inline SoftmaxReport report(const SoftmaxErm& problem, SoftmaxSolution s, Run& run) {
  SoftmaxReport r;
  const Certificate c = problem.certify_exactly(s, run);
  double largest = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    if (problem.weights[i] > 0) largest = std::max(largest, problem.x.squared_norm(i));
  }
  // as in linear/report.h
  const double floor = c.value > 0 ? 4e-32 * largest / (2 * problem.lambda * c.value) : 0.0;
  const bool finite = s.u.allFinite() && s.scores.allFinite();
  static_cast<Outcome&>(r) = Outcome(c, finite, floor, run);
  r.dual = s.u - problem.share;
  r.beta = problem.coefficients(s.u);
  r.intercept = problem.x.constant() * r.beta.colwise().sum();
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::kernel
