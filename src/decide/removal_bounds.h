// Bounds on the score that a row would have without it, for all rows at once from one pair: the
// ball or the tilt of the problem without the row, its own loss, and the Newton step of its
// removal.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/slack.h"
#include "decide/removal_ball.h"
#include "decide/removal_tilt.h"

namespace dualmargin::decide {

// Removal never helps the removed row: phi_i(f(x_i)) without it is at least phi_i(z_i) less W gap /
// omega_i, for any convex loss and any penalty whose kappa stays. One end of a margin loss.
template <class Fit>
void own_loss_removal(const Fit& fit, EndsOf& ends) {
  const Loss& phi = fit.problem.phi;
  if (!phi.of_margins()) return;
  for (Index i = 0; i < fit.n(); ++i) {
    const double omega = fit.problem.omega(i), y = fit.problem.y(i);
    if (!(omega > 0)) continue;
    const double least =
        phi.value(fit.pair.z[i] + y * fit.pair.z_rounding[i], y) * rounding::lowered;
    const double level = least - fit.W() * fit.ball.gap / omega * rounding::raised;
    if (!(level > 0)) continue;
    const double at = phi.margin_at(level),
                 margin = at + rounding::of_root * std::abs(at) + rounding::slack;
    if (y > 0) ends.intersect(i, -HUGE_VAL, margin);
    if (y < 0) ends.intersect(i, -margin, HUGE_VAL);
  }
}

// The logistic and the squared loss: the Newton step of a removal, with a bound on what it misses.
// With A_i = omega_i phi'(z_i), H = sum omega phi'' x x' + kappa, h_i = x_i'H^{-1}x_i,
// l_i = h_i/(1 - lev_i), lev_i = omega_i phi''_i h_i, g_i = |G|_{H^-1} (1 - lev_i)^{-1/2},
// d_i = |A_i| l_i^{1/2}, R_i = max_j h_j^{1/2} (1 - lev_i)^{-1/2} and t = d_i R_i the value without
// the row is within l_i^{1/2} nu psi(nu R_i), nu = g_i + d_i, of z_i, and within
// (l_i e^t)^{1/2} nu1 psi(nu1 R_i e^{t/2}), nu1 = e^{t/2} (g_i + d_i (e^t - 1 - t)/t), of
// z_i + A_i l_i. Rule "lambda": H shrinks by at most s = 1 - omega_i/W.
template <class Fit>
void step_removal(const Fit& fit, EndsOf& ends) {
  const auto& e = fit.ellipsoid;
  const auto& pair = fit.pair;
  const double W = fit.W(), mu = fit.problem.g.l2;
  const bool constant = fit.problem.phi.curving() == Curving::constant;
  const bool cost = fit.rule == Rule::cost;
  for (Index i = 0; i < fit.n(); ++i) {
    const double omega = fit.problem.omega(i), y = fit.problem.y(i), z = pair.z[i];
    const double out = omega * fit.problem.phi.left(z, y);
    const double bend = omega * fit.problem.phi.second(z, y), h = e.norms[i] * e.norms[i] / W;
    const double shrink = cost ? 1.0 : fit.share_left(i), leverage = bend * h / shrink;
    if (!(shrink > 0 && leverage < 1 - 1e-6)) continue;
    const double factor = 1 / std::sqrt(shrink * (1 - leverage)), l = h * factor * factor;
    const double pull = cost ? 0.0 : mu * omega / std::sqrt(W) * e.length_of_w;
    const double g = (e.nu * std::sqrt(W) + pull) * factor;
    const double d = std::abs(out) * std::sqrt(l), reach = e.reach / std::sqrt(W) * factor;
    const double lost = pair.z_rounding[i];
    const double step_of_high = h / (1 - std::min(bend * h, 1 - 1e-6));
    const double rounding = lost + rounding::of(8) * (std::abs(z) + std::abs(out) * step_of_high);
    const region::Left left = region::by_leaving(g, d, reach, shrink, constant);
    const double half = std::sqrt(l) * left.direct * rounding::raised_exp + rounding;
    ends.intersect(i, z - half, z + half);
    // after a step another subgradient of an l1 part may be due
    if (!std::isfinite(left.stepped) || fit.problem.g.l1 > 0) continue;
    // the step itself, from both ends of the norm
    const double low = h / std::pow(e.inflation, 4);
    const double step_of_low = low / (1 - std::min(bend * low, 1 - 1e-6));
    const double centre = z + out * (step_of_low + step_of_high) / 2;
    const double stepped =
        (std::sqrt(l) * left.stepped + std::abs(out) * (step_of_high - step_of_low)) *
            rounding::raised_exp +
        rounding;
    ends.intersect(i, centre - stepped, centre + stepped);
  }
}

// Everything that is known without a step: the tightest of all.
template <class Fit>
Ends removal_bounds(const Fit& fit, Tick& tick) {
  constexpr double most_net_entries = 2e8;
  EndsOf ends(fit.n());
  const double l1 = fit.problem.g.l1;
  if (l1 == 0 || static_cast<double>(fit.n()) * fit.problem.rows.dim() <= most_net_entries) {
    fit.problem.free() ? tilted_removal(fit, ends, tick) : ball_removal(fit, ends, tick);
  }
  // with an l1 part the subgradient of the fit serves without the row, if the penalty stays
  if (fit.ellipsoid.norms.size() > 0 && (l1 == 0 || fit.rule == Rule::cost)) {
    step_removal(fit, ends);
  }
  if (fit.rule == Rule::cost) own_loss_removal(fit, ends);
  return ends.ends;
}

}  // namespace dualmargin::decide
