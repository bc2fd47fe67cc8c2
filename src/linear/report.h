// What leaves the linear family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include "linear/problem.h"
#include "run/nothing.h"
#include "run/outcome.h"

namespace dualmargin::linear {

struct Report : Outcome {
  Solution solution;
  RowVec scores;
  // of a loss in the unit of the residuals; see residual_scale.h
  double residual_scale = -1;
  int rounds = 0;
};

// The relative gap that rounding permits. Scores of rows of norm R carry errors of 2e-16 R |w|; the
// gradient inherits them, and a ridge gap is |gradient|^2 / (2 l2).
inline double rounding_floor(const LinearProblem& problem, double value) {
  const RowVec& norms = problem.rows.squared_norms();
  const double largest = std::max(
      0.0, problem.rows.max([&](Index i) { return problem.rows.weights[i] > 0 ? norms[i] : 0.0; }));
  const double lambda = problem.penalty.l1 + problem.penalty.l2;
  return value > 0 ? 4e-32 * largest / (2 * lambda * value) : 0.0;
}

inline Report report(const LinearProblem& problem, Solution s, Run& run) {
  Report r;
  const Certificate c = certify_or_nothing(problem, s, run);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), rounding_floor(problem, c.value), run);
  r.scores = problem.scored(s, run).z;
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::linear
