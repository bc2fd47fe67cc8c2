// Dual coordinate descent for the hard margin, with shrinking.
// C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan (2008), A Dual Coordinate
// Descent Method for Large-scale Linear SVM, ICML, 408-415, Algorithm 3 with C = infinity.
//
//   min_a  1/2 |A'a|^2 - 1'a,  a >= 0:   a_e <- max(0, a_e - (a_e'w - 1) / |a_e|^2),  w = A'a
//
// in random order. Rows at zero whose slack is above the largest violation of the pass before are
// left out until the violations of the others are a tenth of what they were.
#pragma once

#include <numeric>

#include "core/sampler.h"
#include "hard/hard_margin.h"

namespace dualmargin {

inline HardSolution dual_descent(const HardMargin& problem, bool shrinking, Sampler& sampler,
                                 Monitor& monitor) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  HardSolution s;
  s.w = Vec::Zero(rows.dim());
  s.c = Vec::Zero(n);
  Vec& a = s.c;
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Index active = n;
  double limit = HUGE_VAL, spread_of_all = 0, epoch = 0;
  BestInterval best(problem, monitor);
  const auto certify = [&] {
    if (epoch == 0) return HardMargin::interval(-1, 1);
    HardSolution now = s;
    rows.combine(now.c, now.w, monitor);
    now.q = now.c;
    return best.offer(std::move(now));
  };
  while (monitor.proceed(epoch, certify, 3)) {
    double most = -HUGE_VAL, least = HUGE_VAL;
    Index visits = 0;
    for (Index k = 0; k < active; ++k, ++visits) {
      std::swap(order[k], order[k + sampler.below(active - k)]);
      const Index e = order[k];
      const double norm2 = rows.squared_norm(e);
      if (norm2 == 0) continue;
      const double slope = rows.dot(e, s.w) - 1;
      if (a[e] == 0 && slope > limit) {
        std::swap(order[k--], order[--active]);
        continue;
      }
      const double projected = a[e] == 0 ? std::min(slope, 0.0) : slope;
      most = std::max(most, projected);
      least = std::min(least, projected);
      if (projected == 0) continue;
      const double old = a[e];
      a[e] = std::max(0.0, old - slope / norm2);
      rows.add(e, a[e] - old, s.w);
      monitor.tick_rows(k);
    }
    epoch += std::max(1e-3, static_cast<double>(visits) / static_cast<double>(n));
    const double spread = most - least;
    if (active == n) spread_of_all = spread;
    const bool again = active < n && !(spread > 0.1 * spread_of_all);
    if (again) active = n;
    limit = shrinking && !again && most > 0 ? most : HUGE_VAL;
  }
  best.best.solver = "dual_cd";
  return best.best;
}

}  // namespace dualmargin
