// What leaves the augmented family: the returned point with its certificate, how noisy the problem
// is, and how the run ended.
#pragma once

#include "augmented/draws.h"
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

template <class Problem>
AugmentedReport report(const Problem& problem, AugmentedSolution s, Assessment<Problem>& assess,
                       Run& run) {
  AugmentedReport r;
  r.confidence = assess.certify(s.w);
  // never worse than nothing, as in run/nothing.h: at w = 0 perturbations change nothing
  const double least = run.null_value() + Certificate::rounding_of(run.null_value());
  if (run.iterate() == Iterate::best && !run.within_tolerance(r.confidence) &&
      std::isfinite(r.confidence.value) && r.confidence.value > least + 4 * r.confidence.value_se) {
    s.w.setZero();
    r.confidence = assess.certify(s.w);
  }
  r.confidence.raise_bound();
  static_cast<Outcome&>(r) = Outcome(r.confidence, s.w.allFinite(), 0, run);
  r.sampled = assess.samples();
  if (run.in_time()) assess.observe(s.w);
  r.certificate_epochs = assess.spent();
  r.noise = assess.noise();
  r.scores = problem.rows.multiply(s.w, run);
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::augmented
