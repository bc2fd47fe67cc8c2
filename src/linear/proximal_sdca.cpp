// SDCA inside a proximal point iteration without momentum.
// R. T. Rockafellar (1976), SIAM Journal on Control and Optimization 14, 877-898, around the SDCA
// of S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599.
//
//   stage t:  w_t ~ argmin_w P(w) + kappa/2 |w - w_{t-1}|^2  by inner_passes passes of SDCA
//
// kappa = max_i omega_i |x_i|^2 / (W gamma), the 1/(n gamma) of normalised rows: the inner problem
// then loses a constant factor of its gap in a pass, and the proximal step is a quarter as short as
// in ASPDC-i.
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution proximal_sdca(const LinearProblem& problem, const ProximalSdcaOptions& options,
                       const Solution& start, Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const double kappa = options.strength * problem.row_smoothness();
    DualState state(problem, rows, start, kappa, run);
    Visits visits(problem.n(), options.permute, sampler, run);
    Solution s = problem.begin(start, "proximal_sdca");
    const auto certify = [&] {
      s.a = state.a();
      return problem.certify(s, run);
    };

    while (run.proceed(certify, dual_price)) {
      state.recentre(s.w);
      run_stage(state, options.inner_passes, 0, run,
                [&] { visits.epoch([&](Index i) { state.ascend(i); }); });
      s.w = state.w();
    }
    return s;
  });
}

}  // namespace dualmargin::linear
