// The default: a fast method until the support is nearly known, then the exact active set.
//
//   columns   dual coordinate descent to a gap of 3e-2, at most 50 passes; a free intercept is a
//             coordinate of its own there, regularised
//   kernel    SMO to a gap of 1e-6; exact where the support is below 1500
//
// An active set that outgrows its memory hands over to the method for large supports.
#pragma once

#include "hard/active_set.h"
#include "hard/dual_cd.h"
#include "hard/smo.h"

namespace dualmargin::hard {

struct AutoOptions {
  ActiveSetOptions exact;
  double cache_bytes = 2e9;
};

// The active set, and where the support is too large for it what is left from there.
inline HardSolution active_set_or_more(const HardMargin& problem, const AutoOptions& options,
                                       const Vec& q, Sampler& sampler, Run& run) {
  HardSolution s = active_set(problem, options.exact, q, run);
  if (s.finished || run.ended()) return s;
  run.begin();
  if (problem.free_intercept || problem.rows.is_kernel()) {
    return smo(problem, options.cache_bytes, s.q, run);
  }
  return dual_descent(problem, DualDescentOptions(), s.c, sampler, run);
}

inline HardSolution automatic(const HardMargin& problem, const AutoOptions& options,
                              Sampler& sampler, Run& run) {
  const bool kernel = problem.rows.is_kernel();
  Run warm = kernel ? run.inner(1e-6, HUGE_VAL) : run.inner(3e-2, 50);
  HardSolution rough;
  if (kernel) {
    rough = smo(problem, options.cache_bytes, Vec(), warm);
  } else {
    DualDescentOptions descent;
    descent.constant = problem.free_intercept ? 1 : 0;
    rough = dual_descent(problem, descent, Vec(), sampler, warm);
  }
  run.spend(warm.epoch());
  // Where that is all that was asked for, it is the answer. An interval around zero is none: it
  // does not tell whether there is a margin.
  HardSolution now = rough;
  const Certificate reached = problem.certify(now, run);
  if (reached.value > 0 && run.within_tolerance(reached)) {
    run.proceed(
        run.epoch(), [&] { return reached; }, 0);
    return rough;
  }
  if (kernel && count_nonzero(rough.q) >= 1500) {
    run.begin();
    return smo(problem, options.cache_bytes, rough.q, run);
  }
  HardSolution s = active_set_or_more(problem, options, rough.q, sampler, run);
  if (run.status() == Status::certified) return s;
  BestInterval best(problem, run);
  best.best.solver = s.solver;
  best.best.separable = s.separable;
  best.offer(std::move(s));
  // of equal ones that of the exact method; where that has a null combination, it alone is looked
  // at
  if (!best.best.separable) rough.q.resize(0);
  best.offer(std::move(rough));
  return best.best;
}

}  // namespace dualmargin::hard
