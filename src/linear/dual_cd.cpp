// Dual coordinate descent in permuted order, with shrinking.
// C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan (2008), ICML, 408-415,
// Algorithm 3; for logistic loss H.-F. Yu, F.-L. Huang and C.-J. Lin (2011), Machine Learning 85,
// 41-75.
//
//   max_a  D(a),   one exact coordinate step after the other; a, w and, where the intercept is
//   free, b as in dual_state.h
//
//   idle_i   how often in a row a visit left a_i where it was. At `patience` the row is skipped
//            until the next full epoch: a bounded dual variable that stays at its bound is likely
//            to stay.
//
// differs: LIBLINEAR shrinks by projected gradients and stops by them; here a step that changes
// nothing is the sign, every fifth epoch is full, and the duality gap over all rows stops.
#include <numeric>
#include <vector>

#include "linear/cost_model.h"
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution dual_cd(const LinearProblem& problem, const DualCdOptions& options, const Solution& start,
                 Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    constexpr int patience = 3, full_every = 5;
    const Index n = problem.n();
    const Index automatic = problem.dim() > cost::wide ? cost::wide_block : 1;
    const Index block = options.block > 0 ? static_cast<Index>(options.block) : automatic;
    DualState state(problem, rows, start, 0, run);
    std::vector<int> idle(n, 0);
    std::vector<Index> order((n + block - 1) / block);
    std::iota(order.begin(), order.end(), Index{0});
    Solution s = start;
    s.solver = "dual_cd";
    const auto certify = [&] {
      s.a = state.a();
      s.w = state.w();
      s.b = state.b();
      return problem.certify_dual(s, run);
    };

    Index visited = n;
    for (long epoch = 0; run.proceed(certify, dual_price); ++epoch) {
      const bool full = !options.shrink || epoch < 2 || epoch % full_every == 0 || visited == 0;
      sampler.shuffle(order);
      visited = 0;
      for (const Index b : order) {
        for (Index i = b * block; i < std::min(n, (b + 1) * block); ++i) {
          if (!full && idle[i] >= patience) continue;
          idle[i] = state.ascend(i) ? 0 : std::min(idle[i] + 1, patience);
          run.tick().row(visited++);
        }
      }
      run.spend(static_cast<double>(visited) / n);
      if (problem.losses.free_intercept) state.recentre_intercept();
    }
    return s;
  });
}

}  // namespace dualmargin::linear
