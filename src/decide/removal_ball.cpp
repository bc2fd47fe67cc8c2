#include "decide/removal_ball.h"

#include "base/slack.h"

namespace dualmargin::decide {

NetParts net_parts(const Vec& w, const Vec& v, const Vec& off, double kappa, double l1) {
  NetParts parts{Vec(w.size()), 0, 0, 0};
  for (Index j = 0; j < w.size(); ++j) {
    const double q = std::clamp(-v[j], -l1, l1), size = std::abs(w[j]);
    const double lost = off[j] + rounding::of(4) * (std::abs(v[j]) + l1 + kappa * size);
    const double sign = w[j] > 0 ? 1.0 : w[j] < 0 ? -1.0 : 0.0;
    parts.dual_w[j] = (-v[j] - q) / kappa;
    parts.slack += size * std::max(l1 - sign * q, 0.0);
    if (std::abs(v[j]) <= l1 + lost) parts.slack += size * lost;
    parts.off += lost * lost;
  }
  parts.off = std::sqrt(parts.off) / kappa;
  parts.apart = (w - parts.dual_w).norm() + parts.off;
  return parts;
}

void net_ball_removal(const Fitted& fit, Index i, double rest, EndsOf& ends, Tick& tick) {
  const auto& rows = fit.problem.rows;
  const Pair& pair = fit.pair;
  const double omega = fit.problem.omega(i), kappa = fit.kappa_without(omega);
  const Vec row = rows.row(i), moved = omega * pair.a[i] * row;
  const NetParts parts = net_parts(pair.w, fit.W() * pair.u - moved,
                                   fit.W() * pair.u_rounding + rounding::of(4) * moved.cwiseAbs(),
                                   kappa, kappa * fit.problem.g.l1 / fit.problem.g.l2);
  const double radius =
      std::sqrt((rest + parts.slack) / kappa + parts.apart * parts.apart / 4) + parts.off;
  const double middle = (pair.z[i] - pair.b + row.dot(parts.dual_w)) / 2;
  const double half = radius * rounding::raised * std::sqrt(rows.squares(tick)[i]) +
                      pair.z_rounding[i] +
                      fit.lost_in_score() * row.cwiseAbs().dot(parts.dual_w.cwiseAbs());
  ends.intersect(i, middle - half, middle + half);
}

}  // namespace dualmargin::decide
