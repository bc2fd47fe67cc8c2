#include "decide/removal_tilt.h"

#include "decide/removal_ball.h"

namespace dualmargin::decide {

double TiltedSums::above(double tau) const {
  const auto next = std::upper_bound(tau_.begin(), tau_.end() - 1, tau);
  const std::size_t k = std::max<std::ptrdiff_t>(next - tau_.begin(), 1);
  const double share = (tau - tau_[k - 1]) / (tau_[k] - tau_[k - 1]);
  return (1 - share) * sum_[k - 1] + share * sum_[k];
}

double ColumnPlace::net(const Fitted& fit, Index i, double kappa, double shift) const {
  const Vec moved = shift * (fit.problem.rows.row(i) - centre);
  const Vec off = std::abs(shift) * of_shift / std::max(stored.norm(), 1e-300) * stored;
  const region::NetParts net = net_without(fit, moved, off, kappa);
  return net.misfit + kappa / 2 * (net.apart + net.off) * (net.apart + net.off);
}

ColumnPlace tilt_place(const Fitted& fit, const region::TiltMass& mass, const Residual& r,
                       Tick& tick) {
  const auto& rows = fit.problem.rows;
  ColumnPlace at;
  at.centre = rows.transpose_multiply(fit.problem.share * mass.h, tick) / mass.mean;
  at.stored = fit.problem.sizes(tick).stored;
  at.squares = rows.squared_distances(at.centre, tick);
  at.along = r.along - at.centre.dot(r.e);
  at.score = fit.pair.z - (fit.pair.b + at.centre.dot(fit.pair.w));
  at.of_shift = 4 * fit.problem.cross_rounding() * at.stored.norm();
  return at;
}

}  // namespace dualmargin::decide
