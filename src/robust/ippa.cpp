// Incremental proximal point algorithm.
// J. Li, C. Chen, A. M.-C. So (2020), Fast Epigraphical Projection-based Incremental Algorithms for
// Wasserstein Distributionally Robust Support Vector Machine, NeurIPS 33, arXiv:2010.12865,
// section 2.
//
//   (w, b, t) <- argmin over |w|_q <= t of
//     alpha_k (n omega_i / W) f_i(w, b, t) + |(w, b, t) - (w_k, b_k, t_k)|^2 / 2
//
// for one row i after the other, see incremental.h; each step exact, see single_sample_prox.h. It
// costs O(nonzeros of the row) for q = 2 and O(columns) for the other norms.
#include "robust/single_sample_prox.h"
#include "robust/solvers.h"

namespace dualmargin::robust {
namespace {

template <class Weights>
void proximal_epochs(IncrementalRun& state, double batch) {
  SingleSampleProx<Weights> prox(state.problem, state.point);
  while (state.proceed(0)) {
    const double step = state.step() / batch;
    Index seen = 0;
    bool late = false;  // with many columns an epoch is long; it may end after any row
    state.visits.epoch([&](Index i) {
      late = late || (++seen % 64 == 0 && !state.in_time());
      if (late) return;
      const double alpha = step * state.copies(i);
      if (alpha > 0) prox.step(i, alpha);
    });
    prox.store(state.point);
  }
}

}  // namespace

void proximal_epochs(IncrementalRun& state, double batch) {
  if (state.problem.cone.q == Norm::l2) {
    proximal_epochs<ScaledWeights>(state, batch);
  } else {
    proximal_epochs<DenseWeights>(state, batch);
  }
}

Solution ippa(const RobustSvm& problem, const IncrementalOptions& options, const Solution& start,
              Sampler& sampler, Run& run) {
  IncrementalRun state(problem, options, start, sampler, run);
  proximal_epochs(state, 1);
  return state.finish("ippa");
}

}  // namespace dualmargin::robust
