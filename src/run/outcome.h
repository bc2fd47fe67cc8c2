// How a run ended and how far it is from the optimum: what every family's report has in common.
#pragma once

#include <vector>

#include "run/run.h"

namespace dualmargin {

struct Outcome {
  Certificate certificate;
  Status status = Status::not_finite;
  double null_value = 0, rounding_floor = 0, threshold = 0, epochs = 0, seconds = 0;
  long steps = 0;
  std::vector<TraceRow> trace;

  Outcome() = default;
  // `finite`: is the returned point made of numbers? `floor`: the relative gap rounding permits.
  Outcome(const Certificate& c, bool finite, double floor, const Run& run);

 private:
  // By the certificate of the returned point, whatever the run made of its own.
  void judge(double tol);
};

// What a run returns is never worse than nothing: than the null model on the primal side, the best
// constant where the intercept is free and else zero, and on the dual side than the point that
// pulls at nothing, whose bound is the least value that the losses have. Where the last iterate is
// asked for, it is returned whatever it is worth.

// The certificate of the point to be returned. Where it misses the tolerance, the primal or the
// dual part that is worse than nothing gives way: problem.with_nothing(s, primal, dual) is s with
// one of them, or both, replaced. A pair that no problem can have loses its dual part.
template <class Problem, class Solution>
Certificate certify_or_nothing(const Problem& problem, Solution& s, Run& run) {
  const Certificate c = problem.certify(s, run);
  if (run.within_tolerance(c) || !std::isfinite(c.value) || std::isnan(c.gap)) return c;
  Solution none = problem.with_nothing(s, true, true);
  const Certificate least = problem.certify(none, run);
  const bool primal = run.iterate() == Iterate::best && c.value > least.value + least.rounding;
  const bool dual = !(c.bound >= least.bound) || !c.possible(run.null_value());
  if (!primal && !dual) return c;
  s = primal && dual ? std::move(none) : problem.with_nothing(std::move(s), primal, dual);
  Certificate kept = problem.certify(s, run);
  if (dual && kept.bound < least.bound) {  // by the rounding of the primal part alone
    kept.bound = least.bound;
    kept.gap = kept.value - least.bound;
  }
  return kept;
}

}  // namespace dualmargin
