#include "robust/saddle.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dualmargin::robust {

void project_triangle(double& alpha, double& beta) {
  const double difference = alpha - beta;
  alpha = std::max(alpha, 0.0);
  beta = std::max(beta, 0.0);
  if (alpha + beta <= 1) return;
  alpha = std::clamp((difference + 1) / 2, 0.0, 1.0);
  beta = 1 - alpha;
}

Saddle::Saddle(const RobustSvm& problem, const Rows& rows, const Pull& pull)
    : p_(problem),
      rows_(rows),
      share_(rows.weights / problem.rows.total_weight),
      kappa_(problem.flip_cost()),
      fixed_(pull) {}

void Saddle::Iterate::mix(double part, const Iterate& other) {
  at.w += part * (other.at.w - at.w);
  at.b += part * (other.at.b - at.b);
  at.t += part * (other.at.t - at.t);
  at.alpha += part * (other.at.alpha - at.alpha);
  at.beta += part * (other.at.beta - at.beta);
  pull.w += part * (other.pull.w - pull.w);
  pull.b += part * (other.pull.b - pull.b);
  pull.t += part * (other.pull.t - pull.t);
  pull.sum += part * (other.pull.sum - pull.sum);
}

std::pair<double, double> Saddle::Iterate::distance(const Iterate& o) const {
  const double point =
      (at.w - o.at.w).squaredNorm() + std::pow(at.b - o.at.b, 2) + std::pow(at.t - o.at.t, 2);
  const double multipliers = form->rows_.sum([&](Index i) {
    const double d_alpha = at.alpha[i] - o.at.alpha[i], d_beta = at.beta[i] - o.at.beta[i];
    return form->share_[i] * (d_alpha * d_alpha + d_beta * d_beta);
  });
  return {std::sqrt(point), std::sqrt(multipliers)};
}

void Saddle::step(Iterate& s, double nu, double k, Tick& tick) const {
  const double tau = 1 / (nu * k), sigma = nu / k, m = 1 + tau * p_.ridge;
  Vec w = (s.at.w + tau * s.pull.w) / m;
  const double b = s.at.b + tau * s.pull.b;
  double t = s.at.t - tau * s.pull.t;
  p_.cone.project_epigraph(m, w, t);
  const RowVec z = rows_.multiply(2 * w - s.at.w, tick);
  const double ahead_b = 2 * b - s.at.b, ahead_t = 2 * t - s.at.t;
  for (Index i = 0; i < rows_.n(); ++i) {
    const double u = rows_.y[i] * (z[i] + ahead_b);
    s.at.alpha[i] += sigma * (1 - u);
    s.at.beta[i] = p_.flips() ? s.at.beta[i] + sigma * (1 + u - kappa_ * ahead_t) : 0.0;
    project_triangle(s.at.alpha[i], s.at.beta[i]);
  }
  s.at.w = std::move(w);
  s.at.b = b;
  s.at.t = t;
  s.pull = pull(s.at, fixed_, tick);
}

double Saddle::norm(int iterations, double more, Tick& tick) const {
  Solution x;
  x.w = Vec::Ones(rows_.dim());
  x.b = p_.free_intercept;
  x.t = kappa_ > 0;
  Pull none;
  none.w = Vec::Zero(rows_.dim());
  const auto length = [&] { return std::sqrt(x.w.squaredNorm() + x.b * x.b + x.t * x.t); };
  double largest = 0;
  for (int k = 0; k < iterations && tick.poll(); ++k) {
    const double size = length();
    if (!(size > 0)) break;
    const RowVec z = rows_.multiply(x.w / size, tick);
    x.alpha = -rows_.y * (z + x.b / size);
    x.beta = RowVec::Zero(rows_.n());
    if (p_.flips()) x.beta = -x.alpha - kappa_ * x.t / size;
    const Pull g = pull(x, none, tick);
    x.w = -g.w, x.b = -g.b, x.t = g.t;
    largest = length();
  }
  return largest > 0 ? (1 + more) * std::sqrt(largest) : 1.0;
}

Pull Saddle::pull(const Dual& s, const Pull& fixed, Tick& tick) const {
  const RowVec force = share_ * rows_.y * (s.alpha - s.beta);
  const auto [labels, flipped, first] = rows_.sum([&](Index i) {
    return std::array<double, 3>{force[i], share_[i] * s.beta[i], share_[i] * s.alpha[i]};
  });
  return {fixed.w + rows_.transpose_multiply(force, tick),
          fixed.b + (p_.free_intercept ? labels : 0.0), fixed.t - kappa_ * flipped,
          fixed.sum + first + flipped};
}

}  // namespace dualmargin::robust
