// Incremental mini-batch projected subgradient method, M-ISG.
// J. Li, C. Chen, A. M.-C. So (2020), Fast Epigraphical Projection-based Incremental Algorithms for
// Wasserstein Distributionally Robust Support Vector Machine, NeurIPS 33, arXiv:2010.12865,
// section 2.
//
//   (w, b, t) <- Proj over |w|_q <= t of (w, b, t) - alpha_k (1 / |B|) sum_{i in B} g_i
//
// with the batches B in turn and g_i a subgradient of (n omega_i / W) f_i, see incremental.h. The
// last batch of an epoch may be short: it counts for the rows it has, |B| / batch of a step.
#include "robust/solvers.h"

namespace dualmargin::robust {

void subgradient_epochs(IncrementalRun& state, double until) {
  const RobustSvm& p = state.problem;
  Solution& s = state.point;
  const Index batch = state.batch;
  Vec pull(batch);  // of each row of the batch, along y_i x_i
  while (state.proceed(until)) {
    const double step = state.step() / static_cast<double>(batch);
    state.visits.batches(batch, [&](const Index* rows, Index count) {
      if (!state.in_time()) return;
      double length = 0, lift = 0;
      for (Index k = 0; k < count; ++k) {
        const Index i = rows[k];
        const double share = step * state.copies(i), u = p.rows.y[i] * (p.rows.dot(i, s.w) + s.b);
        const double flip = p.flips() ? 1 + u - p.flip_cost() * s.t : -HUGE_VAL;
        length += share;
        pull[k] = 1 - u > 0 && 1 - u >= flip ? share : flip > 0 ? -share : 0;
        if (pull[k] < 0) lift += p.flip_cost() * share;
      }
      for (Index k = 0; k < count; ++k) {
        if (pull[k] == 0) continue;
        p.rows.axpy(rows[k], pull[k] * p.rows.y[rows[k]], s.w);
        if (p.free_intercept) s.b += pull[k] * p.rows.y[rows[k]];
      }
      // differs: the ridge is in the projection and not in the subgradient, so that no step is too
      // long for it
      const double m = 1 + length * p.ridge;
      if (m > 1) s.w /= m;
      s.t += lift - length * p.radius;
      p.cone.project_epigraph(m, s.w, s.t);
    });
  }
}

Solution isg(const RobustSvm& problem, const IncrementalOptions& options, const Solution& start,
             Sampler& sampler, Run& run) {
  IncrementalRun state(problem, options, start, sampler, run);
  subgradient_epochs(state, 0);
  return state.finish("isg");
}

}  // namespace dualmargin::robust
