#include "region/ball.h"

#include <algorithm>

#include "base/slack.h"

namespace dualmargin::region {

Ball ball_of(const Problem& problem, const Pair& pair) {
  const double l1 = problem.g.l1, mu = problem.g.l2;
  const Index d = pair.w.size();
  Vec dual_w(d);
  double slack = 0, loose = 0, size = 0;
  for (Index j = 0; j < d; ++j) {
    const double u = pair.u[j], w = pair.w[j], lost = pair.u_rounding[j];
    const double q = std::clamp(-u, -l1, l1), sign = w > 0 ? 1.0 : w < 0 ? -1.0 : 0.0;
    dual_w[j] = (-u - q) / mu;
    slack += std::abs(w) * std::max(0.0, l1 - sign * q);
    if (l1 > 0 && std::abs(u) <= l1 + lost) loose += lost * std::abs(w);
    size += std::abs(u * w) + mu * w * w + l1 * std::abs(w);
  }
  const double lost = rounding::of_term() + rounding::of_plain_sum(static_cast<double>(d));
  const double spread = pair.mean_excess + slack * (1 + lost) + loose + rounding::of_term() * size;
  const double apart = (pair.w - dual_w).squaredNorm();
  return {0.5 * (pair.w + dual_w),
          std::sqrt(spread / mu + apart / 4) * rounding::raised + pair.u_rounding.norm() / mu,
          spread + mu / 2 * apart};
}

std::vector<int> zeros_of(const Problem& problem, const Pair& pair, double gap, Tick& tick) {
  const double l1 = problem.g.l1, gamma = problem.phi.gamma();
  std::vector<int> zero(static_cast<std::size_t>(pair.u.size()), 0);
  if (l1 == 0 || gamma == 0) return zero;
  const Vec& sizes = problem.sizes(tick).moved;
  const double reach = std::sqrt(2 * gap / gamma) * rounding::raised;
  for (Index j = 0; j < pair.u.size(); ++j) {
    zero[j] = std::abs(pair.u[j]) + pair.u_rounding[j] + reach * sizes[j] < l1;
  }
  return zero;
}

std::vector<int> lasso_zeros_of(const Problem& problem, const Pair& pair, Tick& tick) {
  const double l1 = problem.g.l1;
  const Index d = pair.w.size();
  const double largest = d == 0 ? 0.0 : (pair.u.cwiseAbs() + pair.u_rounding).maxCoeff();
  const double scale = std::min(1.0, l1 / std::max(largest, 1e-300));
  Pair inside = pair;
  inside.u *= scale;
  const double fenchel = mean_above(problem, [&](Index i) {
    return 2 * excess_above(problem.phi, pair.z[i], scale * pair.a[i], problem.y(i),
                            pair.z_rounding[i]) -
           std::max(0.0, problem.phi.excess(pair.z[i], scale * pair.a[i], problem.y(i)));
  });
  double penalty = 0, size = 0;
  for (Index j = 0; j < d; ++j) {
    const double w = std::abs(pair.w[j]);
    penalty += w * l1 + inside.u[j] * pair.w[j] + pair.u_rounding[j] * w;
    size += w * l1;
  }
  const double gap = fenchel + penalty + rounding::of(16 + static_cast<double>(d)) * size;
  return zeros_of(problem, inside, gap, tick);
}

}  // namespace dualmargin::region
