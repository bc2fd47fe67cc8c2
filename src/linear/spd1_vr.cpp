// SPD1-VR: SPD1 with the estimates of a reference point subtracted.
// C. Tan, T. Zhang, S. Ma and J. Liu (2018), Advances in Neural Information Processing Systems 31;
// arXiv:1811.01182. Of their paper only its beginning was at hand when this was written: steps and
// their lengths are derived in entries.h from the saddle problem.
//
//   min_w max_a  sum_i s_i [a_i w'x_i - phi*(a_i)] + g(w),   s_i = omega_i / W
//
//   stage: (w~, a~) the reference point, its scores x_i'w~ and its u~ = sum_i s_i a~_i x_i known;
//          then inner_passes S times, with entry (i, j),
//          a_i <- prox of phi* with the score x_i'w~ + r_i x_ij (w_j - w~_j)
//          w_j <- prox of g with the pull u~_j + c_j s_i x_ij (a_i - a~_i)
//
// At the optimum both estimates are exact, so that theta = `step` need not fall. A step changes the
// V of entries.h by at most -(1 - theta) Q + theta Q~: where the reference moves to the newest
// point by a coin that falls so once in inner_passes S steps, V + 2 theta inner_passes S Q~ falls
// linearly for theta < 1/3.
#include "linear/entries.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"

namespace dualmargin::linear {

Solution spd1_vr(const LinearProblem& problem, const Spd1VrOptions& options, const Solution& start,
                 Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) -> Solution {
    const Loss& loss = problem.losses.loss;
    const Entries entries(problem, rows, run);
    Solution s = problem.begin(start, "spd1_vr");
    Vec& w = s.w;
    RowVec a = s.a.size() == rows.n() ? s.a : RowVec::Zero(rows.n());
    entries.settle(problem, w, a);
    Best best(run.iterate());
    run.be_patient(1);  // as spd1

    for (;; run.spend(options.inner_passes)) {
      // differs: the last point becomes the reference after a stage of fixed length, without a coin
      const Vec w_ref = w, u_ref = problem.dual_sum(a, run);
      const RowVec a_ref = a, z_ref = problem.margins(w, run);
      run.spend(1);
      const auto certify = [&] {
        SummedDual dual{{a_ref}, u_ref};
        const Certificate c = problem.certify({s, z_ref}, dual, run);
        best.offer_primal(s, c.value);
        best.offer_dual(dual, c.bound);
        return best.certificate();
      };
      const auto exact = [&] { return certify_best(problem, best, run); };
      if (!run.proceed(certify, exact, 0)) return {best.primal(), best.dual(), "spd1_vr"};
      for (double pass = 0; pass < options.inner_passes; ++pass) {
        for (Index k = 0; k < entries.count(); ++k) {
          const auto [i, j, x] = entries.draw(sampler);
          const double z =
              problem.losses.offset_of(i) + z_ref[i] + entries.of_row(i) * x * (w[j] - w_ref[j]);
          const double v = u_ref[j] + entries.of_column(j) * rows.share(i) * x * (a[i] - a_ref[i]);
          a[i] = loss.dual_step(z, rows.y[i], a[i], entries.inverse_sigma(i) / options.step);
          const double tau = options.step * entries.tau(j);
          w[j] = problem.penalty.prox(w[j] - tau * v, tau);
          run.tick().row(k);
        }
      }
    }
  });
}

}  // namespace dualmargin::linear
