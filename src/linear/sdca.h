// Stochastic dual coordinate ascent.
// S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599, and for
// the elastic net their Prox-SDCA, Mathematical Programming 155 (2016), 105-145, Figure 1, Option
// I.
//
//   min_w  P(w) = (1/W) sum_i omega_i phi(w'x_i; y_i) + g(w),   g strongly convex with constant l2
//
//   a_i   dual variable, phi'(w'x_i) at the optimum     v   -(1/W) sum_i omega_i a_i x_i
//   w     grad g*(v)                                    q_i omega_i |x_i|^2 / (W l2)
//
// Needs l2 > 0 and no free intercept (its constraint couples all coordinates).
#pragma once

#include <numeric>
#include <vector>

#include "core/sampler.h"
#include "linear/erm.h"

namespace dualmargin {

struct SdcaOptions {
  bool permute = true;  // a fresh random order each epoch; false: draws with replacement
  double max_passes = HUGE_VAL;
};

template <class Problem>
Solution sdca(const Problem& problem, const SdcaOptions& options, const Solution& start,
              Sampler& sampler, Monitor& monitor) {
  const Index n = problem.n();
  const double W = problem.total_weight;
  Solution s = start;
  s.solver = "sdca";
  Vec& a = s.a;
  if (a.size() != n) a = Vec::Zero(n);
  Vec v = -problem.dual_sum(a, monitor);
  Vec w = v.unaryExpr([&](double vj) { return problem.penalty.grad_conjugate(vj); });
  Vec q(n);
  for (Index i = 0; i < n; ++i) {
    q[i] =
        problem.weights[i] * problem.x.squared_norm(i) / (W * problem.penalty.strong_convexity());
  }
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});

  const double first = monitor.epoch();
  const auto certify = [&] { return problem.certify_dual(s, monitor); };
  for (double epoch = 0; monitor.proceed(first + epoch, certify) && epoch < options.max_passes;
       ++epoch) {
    if (options.permute) sampler.shuffle(order);
    for (Index k = 0; k < n; ++k) {
      const Index i = options.permute ? order[k] : sampler.below(n);
      // a row of norm zero takes its slope at once (q = 0); skipped, it would keep the gap open
      const double t = problem.loss.dual_step(problem.x.dot(i, w), problem.y[i], a[i], q[i]);
      const double step = problem.weights[i] * (a[i] - t) / W;
      a[i] = t;
      if (step != 0) {
        problem.x.for_each(i, [&](Index j, double x) {
          v[j] += step * x;
          w[j] = problem.penalty.grad_conjugate(v[j]);
        });
      }
      monitor.tick_rows(k);
    }
  }
  problem.certify_dual(s, monitor);  // leaves w = grad g*(v) recomputed from a
  return s;
}

}  // namespace dualmargin
