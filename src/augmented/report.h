// What leaves the augmented family: the returned point with its certificate, how noisy the problem
// is, and how the run ended.
#pragma once

#include "augmented/solvers.h"
#include "run/outcome.h"

namespace dualmargin::augmented {

struct AugmentedReport : Outcome {
  AugmentedSolution solution;
  RowVec scores;  // of the rows as they are
  GradientBound confidence;
  bool sampled = true;
  double certificate_epochs = 0;  // beside those of the training
  std::vector<NoiseRow> noise;
};

AugmentedReport report(const ExpectedErm& problem, AugmentedSolution s, Assessment& assess,
                       Run& run);

}  // namespace dualmargin::augmented
