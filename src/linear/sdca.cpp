// Stochastic dual coordinate ascent.
// S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599, and for
// the elastic net their Prox-SDCA, Mathematical Programming 155 (2016), 105-145, Figure 1,
// Option I.
//
//   min_w  P(w) = (1/W) sum_i omega_i phi(w'x_i; y_i) + g(w),   g strongly convex with constant l2
//
//   a, w   dual point and its primal point w = grad g*(-u); see dual_state.h
//
// Needs l2 > 0 and no free intercept (its constraint couples all coordinates).
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution sdca(const LinearProblem& problem, const SdcaOptions& options, const Solution& start,
              Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    DualState state(problem, rows, start, 0, run);
    Visits visits(problem.n(), options.permute, sampler, run);
    Solution s = start;
    s.solver = "sdca";
    // the dual value rises in every epoch; under a loss with kinks the gap need not fall
    if (!problem.losses.smooth()) run.be_patient(0.9);
    const auto certify = [&] {
      s.a = state.a();
      return problem.certify_dual(s, run);
    };

    while (run.proceed(certify, dual_price)) {
      visits.epoch([&](Index i) { state.ascend(i); });
      run.spend(1);
    }
    return s;
  });
}

}  // namespace dualmargin::linear
