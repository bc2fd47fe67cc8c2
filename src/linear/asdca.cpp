// Accelerated proximal stochastic dual coordinate ascent.
// S. Shalev-Shwartz and T. Zhang (2016), Mathematical Programming 155, 105-145, Figure 2.
//
//   stage t:  w_t ~ argmin_w P(w) + kappa/2 |w - y_{t-1}|^2  by SDCA,
//             y_t = w_t + beta (w_t - w_{t-1})
//
//   1/(n gamma) = max_i omega_i |x_i|^2 / (W gamma)     lambda = l2
//
// kappa = 1/(n gamma) - lambda, mu = lambda/2, rho = mu + kappa, eta = sqrt(mu / rho), beta = (1 -
// eta) / (1 + eta); with schedule = tolerance xi_1 = (1 + eta^-2) gap(0), inner tolerance of stage
// t eta xi_{t-1} / (2 (1 + eta^-2)), xi_t = (1 - eta/2) xi_{t-1}. Where 1/(lambda gamma) < 10 n the
// paper calls plain Prox-SDCA: kappa = 0.
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution asdca(const LinearProblem& problem, const AsdcaOptions& options, const Solution& start,
               Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const double lambda = problem.penalty.l2, threshold = problem.row_smoothness();
    const double kappa = threshold > 10 * lambda ? threshold - lambda : 0.0;
    const double mu = lambda / 2, rho = mu + kappa, eta = std::sqrt(mu / rho);
    const double beta = (1 - eta) / (1 + eta), factor = 1 + 1 / (eta * eta);
    DualState state(problem, rows, start, kappa, run);
    Visits visits(problem.n(), options.permute, sampler, run);
    Solution s = problem.begin(start, "asdca");
    const auto certify = [&] {
      s.a = state.a();
      return problem.certify(s, run);
    };

    Vec y = s.w;
    double xi = 0;
    for (long stage = 0; run.proceed(certify, dual_price); ++stage) {
      if (stage == 0 && options.tolerance_schedule) xi = factor * certify().gap;
      state.recentre(y);
      // differs: a fixed number of passes a stage; the tolerances of the theory need 2.5 times as
      // many
      run_stage(state, options.inner_passes, eta / (2 * factor) * xi, run,
                [&] { visits.epoch([&](Index i) { state.ascend(i); }); });
      xi *= 1 - eta / 2;
      y = state.w() + beta * (state.w() - s.w);  // from the previous w, not from the previous y
      s.w = state.w();
    }
    return s;
  });
}

}  // namespace dualmargin::linear
