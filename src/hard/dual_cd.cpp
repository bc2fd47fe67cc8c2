// Dual coordinate descent for the hard margin, with shrinking.
// C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi and S. Sundararajan (2008), A Dual Coordinate
// Descent Method for Large-scale Linear SVM, ICML, 408-415, Algorithm 3 with C = infinity;
// doi:10.1145/1390156.1390208.
//
//   min_a  1/2 |A'a|^2 - 1'a,  a >= 0:   a_e <- max(0, a_e - (a_e'w - 1) / |a_e|^2),  w = A'a
//
// in random order. Rows at zero whose slack is above the largest violation of the pass before are
// left out until the violations of the others are a tenth of what they were.
#include <numeric>
#include <utility>

#include "hard/solvers.h"

namespace dualmargin::hard {

Solution dual_descent(const HardMargin& problem, const DualDescentOptions& options, Vec a,
                      Sampler& sampler, Run& run) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  const double extra = options.constant * options.constant;
  Vec w = Vec::Zero(rows.dim());  // A'a
  double v = 0;                   // s'a
  if (a.size() == 0) a = Vec::Zero(n);
  Vec norm2(n);
  for (Index e = 0; e < n; ++e) norm2[e] = rows.squared_norm(e) + extra;
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  Index active = n;
  double limit = HUGE_VAL, spread_of_all = HUGE_VAL;
  Best best(run.iterate());
  const auto refresh = [&] {
    rows.combine(a, w, run);
    v = 0;
    for (Index e = 0; e < n && extra > 0; ++e) v += rows.side(e) * a[e];
  };
  const auto certify = [&] {
    refresh();
    return problem.offer(best, {w, a, a}, run);
  };
  if (!a.isZero(0)) refresh();
  while (run.proceed(certify, 3)) {
    double most = -HUGE_VAL, least = HUGE_VAL;
    Index visits = 0;
    for (Index k = 0; k < active; ++k, ++visits) {
      run.tick().row(visits);
      std::swap(order[k], order[k + sampler.below(active - k)]);
      const Index e = order[k];
      const double slope = rows.dot(e, w) - 1 + (extra > 0 ? extra * v * rows.side(e) : 0.0);
      if (a[e] == 0 && slope > limit) {
        std::swap(order[k--], order[--active]);
        continue;
      }
      const double projected = a[e] == 0 ? std::min(slope, 0.0) : slope;
      most = std::max(most, projected);
      least = std::min(least, projected);
      if (projected == 0) continue;
      const double old = a[e];
      a[e] = std::max(0.0, old - slope / norm2[e]);
      rows.add(e, a[e] - old, w);
      if (extra > 0) v += rows.side(e) * (a[e] - old);
      run.count_step();
    }
    run.spend(std::max(1e-3, static_cast<double>(visits) / static_cast<double>(n)));
    const double spread = most - least;
    if (active == n) spread_of_all = spread;
    const bool again = active < n && !(spread > 0.1 * spread_of_all);
    if (again) active = n;
    limit = options.shrinking && !again && most > 0 ? most : HUGE_VAL;
  }
  return best.solution("dual_cd");
}

}  // namespace dualmargin::hard
