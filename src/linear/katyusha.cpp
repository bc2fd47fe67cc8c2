// Katyusha: accelerated variance-reduced gradient with negative momentum.
// Z. Allen-Zhu (2018), Journal of Machine Learning Research 18(221), 1-51, Algorithm 1, Option II.
//
//   min_w  (1/n) sum_i f_i(w) + g(w),   f_i(w) = (n omega_i / W) phi(w'x_i; y_i), L-smooth,
//   g sigma-strongly convex
//
//   x~ snapshot, mu its full gradient     z  mirror point     y  gradient point
//   S  sum of the y of a stage, each weighted 1 + alpha sigma times its predecessor
//
// m = inner_passes n, tau_2 = 1/2, tau_1 = min(sqrt(m sigma / (3L)), 1/2), alpha = 1/(3 tau_1 L)
// (Theorem 2.1); L = n max_i omega_i |x_i|^2 / (W gamma), sigma = l2.
#include "algebra/lazy.h"
#include "linear/full_gradient.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"
#include "run/sampler.h"

namespace dualmargin::linear {

Solution katyusha(const LinearProblem& problem, const KatyushaOptions& options,
                  const Solution& start, Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) -> Solution {
    const Loss& loss = problem.losses.loss;
    const Index n = rows.n(), dim = rows.dim();
    const double L = std::max(n * problem.row_smoothness(), 1e-300), sigma = problem.penalty.l2;
    const double m = options.inner_passes * n;
    const double tau2 = 0.5, tau1 = std::min(std::sqrt(m * sigma / (3 * L)), 0.5);
    const double tau3 = 1 - tau1 - tau2, alpha = 1 / (3 * tau1 * L);
    const double theta = 1 + alpha * sigma;

    Solution s = problem.begin(start, "katyusha");
    // A coordinate's (z, y, S) moves, while no row touches it, by constants: its pull and its x~.
    using Powers = AffinePowers<3, 2>;
    const double shrink = 1 / (1 + alpha * sigma);
    Powers::Square A;
    A << shrink, 0, 0, tau1 * shrink, tau3, 0, tau1 * shrink, tau3, 1 / theta;
    Powers::Mix B;
    B << -alpha * shrink, 0, -tau1 * alpha * shrink, tau2, -tau1 * alpha * shrink, tau2;
    Powers powers(A, B);
    LazyProx prox(alpha, problem.penalty.l1, sigma);
    std::vector<Powers::State> state(dim);  // (z, y, S); S relative to the newest weight
    for (Index j = 0; j < dim; ++j) state[j] << s.w[j], s.w[j], 0;
    std::vector<Index> seen(dim);
    Visits visits(n, options.permute, sampler, run);
    // differs: Theorem 2.1 bounds the last snapshot, and snapshots may rise on the way; the best goes
    Best best(run.iterate());

    for (;; run.spend(options.inner_passes)) {
      const FullGradient snapshot(problem, s.w, run);
      run.spend(1);
      const auto certify = [&] {
        const Certificate c = snapshot.certify(problem, s, run);
        best.offer_primal(s, c.value);
        best.offer_dual(s, c.bound);
        return best.certificate();
      };
      const auto exact = [&] { return certify_best(problem, best, run); };
      if (!run.proceed(certify, exact, 0)) return {best.primal(), best.dual(), "katyusha"};
      const Vec& mu = snapshot.gradient;
      const Vec x_snap = s.w;
      Index step = 0;
      double total = 0;
      std::fill(seen.begin(), seen.end(), Index{0});
      for (auto& v : state) v[2] = 0;
      // y = x + tau_1 (z - previous z) with x = tau_1 (previous z) + tau_2 x~ + tau_3 y
      const auto follow = [&](Index j, double z) {
        auto& v = state[j];
        v[0] = z;
        v[1] = tau1 * z + tau2 * x_snap[j] + tau3 * v[1];
        v[2] = v[2] / theta + v[1];
      };
      const auto catch_up = [&](Index j) {
        if (seen[j] == step) return;
        const auto visit = [&](Index length, double pull, double z) {
          if (length == 1) return follow(j, z);
          state[j] = powers.after(length, state[j], Powers::Input(pull, x_snap[j]));
        };
        prox.stretches(step - seen[j], state[j][0], mu[j], visit);
        seen[j] = step;
      };
      for (double pass = 0; pass < options.inner_passes; ++pass) {
        visits.epoch([&](Index i) {
          double score = problem.losses.offset_of(i);
          rows.for_each(i, [&](Index j, double x) {
            catch_up(j);
            score += x * (tau1 * state[j][0] + tau2 * x_snap[j] + tau3 * state[j][1]);
          });
          const double slope = loss.slope(score, rows.y[i]);
          const double change = n * rows.share(i) * (slope - snapshot.slope[i]);
          ++step;
          total = total / theta + 1;
          rows.for_each(i, [&](Index j, double x) {
            follow(j, prox.one(state[j][0], mu[j] + change * x));
            seen[j] = step;
          });
        });
      }
      for (Index j = 0; j < dim; ++j) {
        catch_up(j);
        s.w[j] = state[j][2] / total;
      }
    }
  });
}

}  // namespace dualmargin::linear
