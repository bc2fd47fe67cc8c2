// Stochastic primal-dual coordinate method.
// Y. Zhang and L. Xiao (2017), Journal of Machine Learning Research 18(84), 1-42, Algorithm 1.
//
//   min_w max_a  (1/n) sum_i [A_i w'x_i - p_i phi*(A_i / p_i)] + g(w),   p_i = n omega_i / W,
//   A_i = p_i a_i: each row's loss carries its weight
//
//   a      dual point                    u      (1/W) sum_i omega_i a_i x_i
//   w      primal point                  w_bar  w + theta (w - previous w), the extrapolated point
//
// Theorem 1: tau = sqrt(gamma / (n l2)) / (2R), sigma = sqrt(n l2 / gamma) / (2R),
// theta = 1 - 1/(n + 2R sqrt(n / (l2 gamma))), R = max_i |x_i|; gamma stands for gamma / max p_i.
#include "algebra/lazy.h"
#include "linear/dual_state.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"
#include "run/sampler.h"

namespace dualmargin::linear {

Solution spdc(const LinearProblem& problem, const SpdcOptions& options, const Solution& start,
              Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const Loss& loss = problem.losses.loss;
    const Index n = rows.n(), dim = rows.dim();
    const double l2 = problem.penalty.l2;
    const double square = rows.max([&](Index i) { return rows.squared_norms()[i]; });
    const double R = std::max(std::sqrt(square), 1e-150);
    const double heaviest = rows.max([&](Index i) { return rows.weights[i]; });
    const double gamma = loss.gamma() * rows.total_weight / (n * heaviest);
    const double tau = std::sqrt(gamma / (n * l2)) / (2 * R);
    const double sigma = std::sqrt(n * l2 / gamma) / (2 * R);
    const double theta = 1 - 1 / (n + 2 * R * std::sqrt(n / (l2 * gamma)));

    Solution s = problem.begin(start, "spdc");
    if (s.a.size() != n) s.a = RowVec::Zero(n);
    RowVec a = s.a;
    Vec w = s.w, w_bar = w, u = problem.dual_sum(a, run);
    LazyProx prox(tau, problem.penalty.l1, l2);
    std::vector<Index> seen(dim, 0);  // steps that coordinate j has been through in this epoch
    Index step = 0;
    const auto catch_up = [&](Index j) {
      const Index owed = step - seen[j];
      if (owed == 0) return;
      const double before = prox.many(owed - 1, w[j], u[j]);
      w[j] = prox.one(before, u[j]);
      w_bar[j] = w[j] + theta * (w[j] - before);
      seen[j] = step;
    };

    Visits visits(n, options.permute, sampler, run);
    const auto certify = [&] {
      s.w = w;
      s.a = a;
      return problem.certify(s, run);
    };
    while (run.proceed(certify, dual_price)) {
      step = 0;
      std::fill(seen.begin(), seen.end(), Index{0});
      visits.epoch([&](Index i) {
        const double p = n * rows.share(i);
        double z = problem.losses.offset_of(i);
        rows.for_each(i, [&](Index j, double x) {
          catch_up(j);
          z += x * w_bar[j];
        });
        const double t = loss.dual_step(z, rows.y[i], a[i], p / sigma);  // (8)
        const double change = p * (t - a[i]);
        a[i] = t;
        ++step;
        rows.for_each(i, [&](Index j, double x) {
          const double before = w[j];
          w[j] = prox.one(before, u[j] + change * x);  // (9)
          u[j] += change * x / n;
          w_bar[j] = w[j] + theta * (w[j] - before);
          seen[j] = step;
        });
      });
      for (Index j = 0; j < dim; ++j) catch_up(j);
      run.spend(1);
    }
    return s;
  });
}

}  // namespace dualmargin::linear
