#include "decide/removal_pair.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::decide {

void PairWithout::look(Leaving& leaving, const RemovalPoint& at, Tick& tick) const {
  const Index n = fit_.n();
  const Loss& phi = fit_.problem.phi;
  const RowVec omega = leaving.weights(rows_.weights);
  const RowLosses losses(fit_.problem.losses.held, rows_.y, omega, free(), rows_.team);
  RowVec z = rows_.multiply(at.w, tick);
  if (free()) z += losses.best_intercept(z, at.b);
  RowVec a(n), lost(n);
  const RowVec& squares = rows_.squares(tick);
  const double length = at.w.norm();
  for (Index i = 0; i < n; ++i) {
    a[i] = phi.left(z[i], fit_.problem.y(i));
    lost[i] = fit_.lost_in_score() * ((std::sqrt(squares[i]) + shift_) * length + std::abs(z[i]));
  }
  losses.balance(a);
  const auto excess = [&](const auto& dual) {
    return (1 + rounding::of_value()) * rows_.sum([&](Index i) {
      return omega[i] > 0
                 ? omega[i] * region::excess_above(phi, z[i], dual(i), fit_.problem.y(i), lost[i])
                 : 0.0;
    });
  };
  const double kappa = leaving.kappa;
  const RowVec mass = omega * a;
  const Vec e = kappa * at.w + rows_.transpose_multiply(mass, tick);
  const double a_square = rows_.sum([&](Index i) { return mass[i] * a[i]; });
  const double rounding =
      fit_.problem.cross_rounding() * stored_.norm() * std::sqrt(fit_.W() * a_square) +
      rounding::of(4) * kappa * length;
  const double rest = excess([&](Index i) { return a[i]; }), e_size = e.norm() + rounding;
  if (!free()) {
    const double radius =
        std::sqrt(rest / kappa + e_size * e_size / (4 * kappa * kappa)) * (1 + 1e-12);
    for (std::size_t j = 0; j < leaving.out.size(); ++j) {
      const Index i = leaving.out[j];
      const double length = std::sqrt(squares[i]);
      const double middle = z[i] - rows_.dot(i, e) / (2 * kappa);
      const double half = radius * length + length * (rounding + 1e-14 * e_size) / kappa + lost[i];
      leaving.intersect(j, middle - half, middle + half);
    }
    return;
  }
  // as tilted_removal(), the sums taken at the tilts themselves
  const RowVec h = RowVec::of(n, [&](Index i) { return phi.tilt(a[i], fit_.problem.y(i)); });
  const double K = rows_.sum([&](Index i) { return omega[i] * h[i]; });
  if (!(K > 0 && std::isfinite(K))) return;
  const Vec centre = rows_.transpose_multiply(omega * h, tick) / K;
  for (std::size_t j = 0; j < leaving.out.size(); ++j) {
    const Index i = leaving.out[j];
    const Vec apart = rows_.row(i) - centre;
    const double length = apart.norm() * (1 + 1e-12);
    const double base = std::sqrt((rest + e_size * e_size / (2 * kappa)) /
                                  (length * length / (2 * kappa) + 1 / (2 * K)));
    for (const double share : {1.0, 3.0}) {
      for (const double side : {-1.0, 1.0}) {
        const double T = side * share * base, tau = T / K;
        if (!(std::isfinite(tau) && std::abs(tau) <= phi.reach()) || tau == 0) continue;
        const double moved =
            excess([&](Index r) { return phi.nearest(a[r] + tau * h[r], fit_.problem.y(r)); });
        const double size = (e - T * apart).norm() + rounding + 1e-13 * std::abs(T) * length;
        const double bound =
            (moved + size * size / (2 * kappa)) / std::abs(T) * (1 + 1e-12) + lost[i];
        if (!std::isfinite(bound)) continue;
        if (side > 0) leaving.intersect(j, -HUGE_VAL, z[i] + bound);
        if (side < 0) leaving.intersect(j, z[i] - bound, HUGE_VAL);
      }
    }
  }
}

}  // namespace dualmargin::decide
