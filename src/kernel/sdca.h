// Stochastic dual coordinate ascent.
// S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599.
//
//   max_a  D(a),   D as in kernel_problem.h, an exact step in one coordinate after the other
//
//   a, f   dual point and its scores, see kernel_state.h
//
// Needs that the intercept is not free (its constraint couples all coordinates).
#pragma once

#include "kernel/kernel_state.h"
#include "run/visits.h"

namespace dualmargin::kernel {

inline Solution sdca(const KernelProblem& problem, bool permute, const Solution& start,
                     Sampler& sampler, Run& run) {
  KernelState state(problem, start, run);
  Visits visits(problem.n(), permute, sampler, run);

  while (state.proceed(run)) {
    visits.epoch([&](Index i) {
      const double a = state.a()[i];
      state.move(i, problem.loss.dual_step(state.score(i), problem.y[i], a, state.q(i)));
    });
    run.spend(1);
  }
  return state.solution("sdca");
}

}  // namespace dualmargin::kernel
