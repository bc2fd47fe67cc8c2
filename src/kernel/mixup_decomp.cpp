// MixupSDCA, decomposition: vanilla dual ascent on a problem without labels between the classes,
// with up to two dual variables a row.
// G. Obi, A. Saito, Y. Sasaki, T. Kato (2025), Linearly Convergent Mixup Learning,
// arXiv:2501.07794, section VI.
//
//   \min_f \frac\lambda2 |f|_H^2 + \frac1W \sum_{j \in I} \omega_j c_j \phi_0(\sigma_j f(x_j)) (23)
//
// where a row of label y is there as sigma = +1 with share c = (1 + y)/2 and as sigma = -1 with
// share c = (1 - y)/2, and I are the copies whose share is not zero.
//
// differs: (23) is printed with (1 + y_j) / n~ where c_j / n = (1 + y_j) / (2n) belongs, n~ = |I|,
// which is right only if n~ = 2n. With phi~_j = (n~/n) c_j phi_0 all that follows it holds, and
// Lemma 3 sharpens from 2/gamma to (n~/n)/gamma; with weights (n~ omega_j / W)/gamma.
//
//   t_j    slope of phi_0(sigma_j .): the paper's alpha_j is -(n~ omega_j / W) c_j sigma_j t_j
//   a_i    c t of the row's two copies added up. This is a feasible dual point of the problem with
//          soft labels, since phi*(.; y) is the least of c phi_0* + c phi_0* over all such sums,
//          (6); it has the same f_a, and a dual objective that is not below the decomposed one
//   z, u   score of the row and the slope of phi_0(sigma_j .) there
//
// Expected epochs for a primal error eps: log(h_D / (beta eps)) / (n beta) with 1/beta = (n~/n) (n
// + R^2 / (lambda gamma)), R^2 = max K_ii (Theorem 2, sharpened).
#include <vector>

#include "kernel/dual_state.h"
#include "kernel/mixup_step.h"
#include "kernel/solvers.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

namespace {

Copies shares(double y) { return {0.5 * (1 - y), 0.5 * (1 + y)}; }

}  // namespace

Copies split(const Loss& phi, double a, double y) {
  const double score = phi.dual_piece(a, y).score;
  return {y < 1 && y > -1 ? phi.slope(score, -1) : a, y < 1 && y > -1 ? phi.slope(score, 1) : a};
}

double merge(const Copies& t, double y) {
  const Copies c = shares(y);
  return (c[0] > 0 ? c[0] * t[0] : 0.0) + (c[1] > 0 ? c[1] * t[1] : 0.0);
}

Solution mixup_decomp(const KernelProblem& problem, bool permute, const Solution& start,
                      Sampler& sampler, Run& run) {
  const Loss& phi = problem.losses.loss;
  const RowVec& y = problem.losses.y;
  const Index n = problem.n();
  std::vector<Copies> t(n, Copies{0, 0});
  Solution merged;
  if (start.a.size() == n) {
    merged.a.resize(n);
    for (Index i = 0; i < n; ++i) {
      t[i] = split(phi, start.a[i], y[i]);
      merged.a[i] = merge(t[i], y[i]);
    }
  }
  KernelState state(problem, merged, run);
  std::vector<Index> I;  // j < n: sigma = 1; from n on: sigma = -1                           (24)
  for (Index j = 0; j < 2 * n; ++j) {
    if (shares(y[j % n])[j < n] > 0) I.push_back(j);
  }
  Visits visits(static_cast<Index>(I.size()), permute, sampler, run);
  const double rows = static_cast<double>(I.size()) / n;  // kernel rows in a round, per row

  while (state.proceed(run)) {
    visits.epoch([&](Index place) {
      const Index j = I[place], i = j % n;
      const int sigma = j < n ? 1 : -1;
      double& own = t[i][sigma > 0];
      // (13) in units of c_j n~ omega_j / W, with the smoothness of Lemma 3
      own = mixup_step(phi, state.score(i), sigma, own, state.q(i), shares(y[i])[sigma > 0],
                       [&] { return phi.conjugate(own, sigma); });
      // a sum of feasible parts may leave the domain of phi*(.; y) by one rounding
      state.move(i, feasible(problem.losses, i, merge(t[i], y[i])));
    });
    run.spend(rows);
  }
  return state.solution("mixup_decomp");
}

}  // namespace dualmargin::kernel
