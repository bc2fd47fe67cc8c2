#include "decide/removal_ball.h"

#include "base/slack.h"

namespace dualmargin::decide {

region::NetParts net_without(const Fitted& fit, const Vec& moved, const Vec& off, double kappa) {
  const Pair& pair = fit.pair;
  const ElasticNet g{kappa * fit.problem.g.l1 / fit.problem.g.l2, kappa};
  const Vec v = fit.W() * pair.u - moved;
  const Vec sizes =
      moved.cwiseAbs() + v.cwiseAbs() + kappa * pair.w.cwiseAbs() + Vec::Constant(v.size(), g.l1);
  return region::net_parts(pair.w, v, fit.W() * pair.u_rounding + off + rounding::of(4) * sizes, g);
}

void net_ball_removal(const Fitted& fit, Index i, double rest, Ends& ends, Tick& tick) {
  const auto& rows = fit.problem.rows;
  const Pair& pair = fit.pair;
  const double omega = fit.problem.omega(i), kappa = fit.kappa_without(i);
  const Vec row = rows.row(i), moved = omega * pair.a[i] * row;
  const region::NetParts net = net_without(fit, moved, Vec::Zero(row.size()), kappa);
  const double radius = region::ball_radius(rest + net.misfit, net.apart, kappa, net.off);
  const double middle = (pair.z[i] - pair.b + row.dot(net.dual_w)) / 2;
  const double half = radius * rounding::raised * std::sqrt(rows.squares(tick)[i]) +
                      pair.z_rounding[i] +
                      fit.lost_in_score() * row.cwiseAbs().dot(net.dual_w.cwiseAbs());
  ends.intersect(i, {middle - half, middle + half});
}

}  // namespace dualmargin::decide
