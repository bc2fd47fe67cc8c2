// What leaves the linear family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include "linear/erm.h"
#include "run/outcome.h"

namespace dualmargin::linear {

struct Report : Outcome {
  Solution solution;
  Vec scores;
};

// The relative gap that rounding permits. Scores of rows of norm R carry errors of 2e-16 R |w|; the
// gradient inherits them, and a ridge gap is |gradient|^2 / (2 l2).
template <class Data>
double rounding_floor(const Erm<Data>& problem, double value) {
  double largest = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    if (problem.weights[i] > 0) largest = std::max(largest, problem.x.squared_norm(i));
  }
  const double lambda = problem.penalty.l1 + problem.penalty.l2;
  return value > 0 ? 4e-32 * largest / (2 * lambda * value) : 0.0;
}

template <class Data>
Report report(const Erm<Data>& problem, Solution s, Run& run) {
  Report r;
  const Certificate c = problem.certify(s, r.scores, run);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), rounding_floor(problem, c.value), run);
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::linear
