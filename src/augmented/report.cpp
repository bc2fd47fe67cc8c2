#include <cmath>
#include <utility>

#include "augmented/solvers.h"

namespace dualmargin::augmented {

AugmentedReport report(const ExpectedErm& problem, AugmentedSolution s, Assessment& assess,
                       Run& run) {
  AugmentedReport r;
  r.confidence = assess.certify(s.w);
  // never worse than nothing, as in run/outcome.h: at w = 0 perturbations change nothing
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
