#include "decide/altered_metric.h"

#include <algorithm>
#include <cmath>

#include "base/slack.h"
#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

void LostShares::add(double share, double leverage, double counted) {
  for (std::size_t c = 0; c < cuts.size() && share > cuts[c]; ++c) {
    sums_[c] += leverage * (share - cuts[c] - std::max(0.0, counted - cuts[c]));
  }
}

double LostShares::least() const {
  double best = HUGE_VAL;
  for (std::size_t c = 0; c < cuts.size(); ++c) best = std::min(best, cuts[c] + sums_[c]);
  return best;
}

double Metric::norm(const Vec& v) const {
  Vec white = factor->whitened(v);
  if (changes.empty()) {
    if (along.size() > 0) white -= turn * along.dot(white) * along;
    return white.norm() * factor->inflation;
  }
  double square = (1 + loss) * white.squaredNorm();
  for (const auto& [u, s] : changes) square -= s * u.dot(white) * u.dot(white);
  return std::sqrt(std::max(0.0, square)) * factor->inflation;
}

Vec Metric::changed(Vec white) const {
  const Vec before = white;
  for (const auto& [u, s] : changes) white -= s * u.dot(before) * u;
  return white;
}

Vec Metric::unwhitened(Vec white) const {
  factor->root.triangularView<Eigen::Upper>().solveInPlace(white);
  return white.cwiseQuotient(factor->size);
}

Vec Metric::solve(const Vec& v) const {
  if (!changes.empty()) return unwhitened(changed(factor->whitened(v)));
  if (along.size() == 0) return factor->solve(v);
  Vec white = factor->whitened(v);
  white -= share * along.dot(white) * along;
  return unwhitened(std::move(white));
}

double Arrival::product(Index i, double own) const {
  return std::max(0.0, std::abs(products[i]) - lost * own * norm - loose);
}

Metric with_arrival(const Metric& of_fit, const Arrival& in, double bend, double W) {
  Metric m = of_fit;
  m.in_bend = bend;
  m.in_norm = in.norm;
  if (!(bend > 0)) return m;
  const double grown = 1 + bend * in.h, square = in.white.squaredNorm();
  m.in_norm = in.norm / std::sqrt(grown) * (1 + 2 * in.lost);
  m.along = in.white;
  m.turn = square > 0 ? (1 - 1 / std::sqrt(grown)) / square : 0.0;
  m.share = bend / W / grown;
  const double taken = bend / (1 + bend * in.norm * in.norm);
  for (Index j = 0; j < m.norms.size(); ++j) {
    const double t = in.product(j, of_fit.norms[j]), own = of_fit.norms[j] * of_fit.norms[j];
    const double left = std::max(0.0, own * rounding::raised - taken * t * t);
    m.norms[j] = std::sqrt(left);
    m.leverage[j] = m.bend[j] * left;
  }
  return m;
}

}  // namespace dualmargin::decide
