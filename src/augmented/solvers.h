// The methods of the augmented family. Each is described where it is defined, in the file of its
// name.
#pragma once

#include "augmented/assessment.h"
#include "run/outcome.h"

namespace dualmargin::augmented {

struct AugmentedOptions {
  enum class Sampling { automatic, uniform, nonuniform, permutation };
  Sampling sampling = Sampling::automatic;
  Sampling even = Sampling::uniform;  // what automatic is where the L_i are alike
  bool averaging = true;
  double step = 1;  // of the longest one
};

struct AugmentedSolution {
  Vec w;
  const char* solver = "";
};

struct ExactOptions {
  Index memory = 20;
};

AugmentedSolution exact(const ExpectedErm& problem, const ExactOptions& options, const Vec& start,
                        Run& run);

AugmentedSolution smiso(const ExpectedErm& problem, const AugmentedOptions& options,
                        const Vec& start, Sampler& sampler, Assessment& assess, Run& run);

AugmentedSolution sgd(const ExpectedErm& problem, const AugmentedOptions& options, const Vec& start,
                      Sampler& sampler, Assessment& assess, Run& run);

// `falls`: do the steps?
AugmentedSolution saga(const ExpectedErm& problem, const AugmentedOptions& options, bool falls,
                       const Vec& start, Sampler& sampler, Assessment& assess, Run& run);

// What leaves the augmented family: the returned point with its certificate, how noisy the problem
// is, and how the run ended.
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
