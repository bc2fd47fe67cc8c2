// Proximal stochastic variance-reduced gradient.
// L. Xiao and T. Zhang (2014), SIAM Journal on Optimization 24, 2057-2075, Section 3; R. Johnson
// and T. Zhang (2013), NIPS 26, 315-323.
//
//   min_w  (1/n) sum_i f_i(w) + g(w),   f_i(w) = (n omega_i / W) phi(w'x_i; y_i), L-smooth
//
//   stage: w~ snapshot, mu = full gradient of the risk at w~; then m times
//          w <- prox_{eta g}(w - eta [grad f_i(w) - grad f_i(w~) + mu])
//
// eta = step / L with the 0.1 of the paper's experiments, L = n max_i omega_i |x_i|^2 / (W gamma);
// m = inner_passes n.
#include "algebra/lazy.h"
#include "linear/full_gradient.h"
#include "linear/solvers.h"
#include "rows/typed_rows.h"
#include "run/sampler.h"

namespace dualmargin::linear {

Solution svrg(const LinearProblem& problem, const SvrgOptions& options, const Solution& start,
              Sampler& sampler, Run& run) {
  return with_typed_rows(problem.rows, [&](const auto& rows) {
    const Loss& loss = problem.losses.loss;
    const Index n = rows.n(), dim = rows.dim();
    const double eta = options.step / std::max(n * problem.row_smoothness(), 1e-300);
    Solution s = problem.begin(start, "svrg");
    LazyProx prox(eta, problem.penalty.l1, problem.penalty.l2);
    std::vector<Index> seen(dim);  // inner steps that coordinate j has been through
    Visits visits(n, options.permute, sampler, run);

    for (;; run.spend(options.inner_passes)) {
      const FullGradient snapshot(problem, s.w, run);
      run.spend(1);
      const auto certify = [&] { return snapshot.certify(problem, s, run); };
      if (!run.proceed(certify, 0)) return s;
      const Vec& mu = snapshot.gradient;
      Vec& w = s.w;
      Index step = 0;
      std::fill(seen.begin(), seen.end(), Index{0});
      for (double pass = 0; pass < options.inner_passes; ++pass) {
        visits.epoch([&](Index i) {
          double z = problem.losses.offset_of(i);
          rows.for_each(i, [&](Index j, double x) {
            if (seen[j] < step) w[j] = prox.many(step - seen[j], w[j], mu[j]);
            z += x * w[j];
          });
          const double slope = loss.slope(z, rows.y[i]);
          const double change = n * rows.share(i) * (slope - snapshot.slope[i]);
          ++step;
          rows.for_each(i, [&](Index j, double x) {
            w[j] = prox.one(w[j], mu[j] + change * x);
            seen[j] = step;
          });
        });
      }
      for (Index j = 0; j < dim; ++j) w[j] = prox.many(step - seen[j], w[j], mu[j]);
      // differs: the last iterate becomes the snapshot; the theory takes their average
    }
  });
}

}  // namespace dualmargin::linear
