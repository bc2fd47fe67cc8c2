// Stochastic dual coordinate ascent.
// S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599.
//
//   max_a  D(a),   D as in kernel_problem.h, an exact step in one coordinate after the other
//
//   a, f   dual point and its scores, see dual_state.h
//
// Needs that the intercept is not free (its constraint couples all coordinates).
#include "kernel/dual_state.h"
#include "kernel/solvers.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

Solution coordinate_ascent(const char* solver, const KernelProblem& problem, bool permute,
                           const Solution& start, Sampler& sampler, Run& run,
                           FunctionRef<double(const KernelState&, Index)> step) {
  KernelState state(problem, start, run);
  Visits visits(problem.n(), permute, sampler, run);
  while (state.proceed(run)) {
    visits.epoch([&](Index i) { state.move(i, step(state, i)); });
    run.spend(1);
  }
  return state.solution(solver);
}

Solution sdca(const KernelProblem& problem, bool permute, const Solution& start, Sampler& sampler,
              Run& run) {
  // the dual value rises in every epoch; under a loss with kinks the gap need not fall
  if (!problem.losses.smooth()) run.be_patient(0.9);
  const auto exact = [&](const KernelState& state, Index i) {
    return problem.losses.loss.dual_step(state.score(i), problem.losses.y[i], state.a()[i],
                                         state.q(i));
  };
  return coordinate_ascent("sdca", problem, permute, start, sampler, run, exact);
}

}  // namespace dualmargin::kernel
