// The paper's hybrid: mini-batch subgradient steps while they are long, proximal steps afterwards.
// J. Li, C. Chen, A. M.-C. So (2020), Fast Epigraphical Projection-based Incremental Algorithms for
// Wasserstein Distributionally Robust Support Vector Machine, NeurIPS 33, arXiv:2010.12865,
// section 5.1. The subgradient method is fast far from the optimum, the proximal one near it.
#include "robust/solvers.h"

namespace dualmargin::robust {

Solution hybrid(const RobustSvm& problem, const IncrementalOptions& options, double change,
                const Solution& start, Sampler& sampler, Run& run) {
  IncrementalRun state(problem, options, start, sampler, run);
  subgradient_epochs(state, change);
  // differs: one schedule for both; the step of a row is that of a batch over its size, so that an
  // epoch goes as far as before
  if (!state.ended()) {
    state.next_stage();
    proximal_epochs(state, static_cast<double>(state.batch));
  }
  return state.finish("hybrid");
}

}  // namespace dualmargin::robust
