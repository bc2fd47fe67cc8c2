#include "region/ball.h"

#include <algorithm>

#include "base/slack.h"

namespace dualmargin::region {

double ball_radius(double excess, double apart, double mu, double lost) {
  return std::sqrt(excess / mu + apart * apart / 4) * rounding::raised + lost;
}

NetParts net_parts(const Vec& w, const Vec& u, const Vec& off, const ElasticNet& g) {
  const double l1 = g.l1;
  NetParts net{Vec(w.size()), 0, 0, off.norm() / g.l2};
  double slack = 0, loose = 0;
  for (Index j = 0; j < w.size(); ++j) {
    const double q = std::clamp(-u[j], -l1, l1), size = std::abs(w[j]);
    const double sign = w[j] > 0 ? 1.0 : w[j] < 0 ? -1.0 : 0.0;
    net.dual_w[j] = (-u[j] - q) / g.l2;
    slack += size * std::max(0.0, l1 - sign * q);
    if (l1 > 0 && std::abs(u[j]) <= l1 + off[j]) loose += off[j] * size;
  }
  const double lost = rounding::of_term() + rounding::of_plain_sum(static_cast<double>(w.size()));
  net.misfit = slack * (1 + lost) + loose;
  net.apart = (w - net.dual_w).norm();
  return net;
}

double net_size(const Vec& w, const Vec& u, const ElasticNet& g) {
  return u.cwiseProduct(w).lpNorm<1>() + g.l2 * w.squaredNorm() + g.l1 * w.lpNorm<1>();
}

Ball ball_of(const Problem& problem, const Pair& pair) {
  const NetParts net = net_parts(pair.w, pair.u, pair.u_rounding, problem.g);
  const double excess =
      pair.mean_excess + net.misfit + rounding::of_term() * net_size(pair.w, pair.u, problem.g);
  return ball_around(Vec(0.5 * (pair.w + net.dual_w)), excess, net.apart, problem.g.l2, net.off);
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
