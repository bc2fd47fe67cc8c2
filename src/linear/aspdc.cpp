// ASPDC: coordinate-wise best responses in the saddle problem.
// H. Liang, H. Cai, H. Wu, F. Shang, J. Cheng and X. Li (2022), Electronics 11, 2382, Algorithm 1.
//
//   min_w max_a  f(w, a) = (1/W) sum_i omega_i [a_i w'x_i - phi*(a_i)] + g(w)
//
//   alpha = a   w = grad g*(-u)   lambda = l2   gamma: phi is 1/gamma-smooth
//
// Lemma 2: for lambda >= 4/(n gamma) and rows of norm at most 1 the expected gap after t steps is
// at most 2n (1 - 1/(2n))^t times the first. With weights and any norms the 1/(n gamma) in it is
// max_i omega_i |x_i|^2 / (W gamma). A sharper count of the gain of a step shows that the method
// converges exactly while lambda is above that figure, factor 4 or not, and that SDCA's step, which
// counts its own effect on w, gains more in every case.
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution aspdc(const LinearProblem& problem, const AspdcOptions& options, const Solution& start,
               Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const Index n = problem.n();
    Solution s = start;
    s.solver = "aspdc";
    if (!run.require_strength(problem.penalty.l2, problem.row_smoothness())) {
      s.w = Vec::Zero(problem.dim());
      s.a = RowVec::Zero(n);
      return s;
    }
    DualState state(problem, rows, start, 0, run);  // line 2
    Visits visits(n, options.permute, sampler, run);
    const auto certify = [&] {
      s.a = state.a();
      return problem.certify_dual(s, run);
    };

    // differs: the gap is looked at between epochs; line 9 would cost a pass at every step
    while (run.proceed(certify, dual_price)) {
      visits.epoch([&](Index i) { state.respond(i); });  // lines 4-7
      run.spend(1);
    }
    return s;
  });
}

}  // namespace dualmargin::linear
