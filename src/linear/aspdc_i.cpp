// ASPDC-i: ASPDC for ill-conditioned problems, inside a proximal point iteration.
// H. Liang, H. Cai, H. Wu, F. Shang, J. Cheng and X. Li (2022), Electronics 11, 2382, Algorithm 3,
// and Algorithm 2 with schedule = tolerance.
//
//   f_s(w, a) = (1/W) sum_i omega_i [a_i w'x_i - phi*(a_i)] + g(w) + kappa/2 |w|^2 - kappa w'c,
//   c = the previous outer point
//
//   alpha = a   w~ = c   m = inner_passes n   1/(n gamma): max_i omega_i |x_i|^2 / (W gamma)
//
// kappa = 4/(n gamma) - lambda (Section 5), so that Lemma 2 covers the inner problem; eta = lambda
// / (lambda + 2 kappa), and in Algorithm 2 xi_1 = (1 + 1/eta) gap(0), the inner tolerance of call s
// is eta xi_s / (2 (1 + 1/eta)), xi_{s+1} = (1 - eta/2) xi_s (Theorem 2).
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution aspdc_i(const LinearProblem& problem, const AspdcIOptions& options, const Solution& start,
                 Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const double lambda = problem.penalty.l2;
    // differs: never below zero; with lambda above 4/(n gamma) this is ASPDC itself
    const double kappa = std::max(0.0, options.strength * problem.row_smoothness() - lambda);
    const double eta = lambda / (lambda + 2 * kappa);
    DualState state(problem, rows, start, kappa, run);
    Visits visits(problem.n(), options.permute, sampler, run);
    Solution s = problem.begin(start, "aspdc_i");
    const auto certify = [&] {
      s.a = state.a();
      return problem.certify(s, run);
    };

    double xi = 0;
    for (long outer = 0; run.proceed(certify, dual_price); ++outer) {
      if (outer == 0 && options.tolerance_schedule) xi = (1 + 1 / eta) * certify().gap;
      // the printed Algorithm 3 centres its call s at the result of that same call; it is w~^{s-1}
      state.recentre(s.w);
      run_stage(state, options.inner_passes, eta / (2 * (1 + 1 / eta)) * xi, run,
                [&] { visits.epoch([&](Index i) { state.respond(i); }); });
      xi *= 1 - eta / 2;
      s.w = state.w();
    }
    return s;
  });
}

}  // namespace dualmargin::linear
