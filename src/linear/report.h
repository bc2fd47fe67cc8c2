// What leaves the linear family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include "linear/problem.h"
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
double rounding_floor(const LinearProblem& problem, double value);

Report report(const LinearProblem& problem, Solution s, Run& run);

}  // namespace dualmargin::linear
