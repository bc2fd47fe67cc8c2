// Bounds on the score that a row would have without it, for all rows at once from one pair: the
// ball or the tilt of the problem without the row, its own loss, and the Newton step of its
// removal.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/slack.h"
#include "decide/removal_ball.h"
#include "decide/removal_step.h"
#include "decide/removal_tilt.h"

namespace dualmargin::decide {

// Removal never helps the removed row: phi_i(f(x_i)) without it is at least phi_i(z_i) less W gap /
// omega_i, for any convex loss and any penalty whose kappa stays. One end of a margin loss.
template <class Fit>
void own_loss_removal(const Fit& fit, Ends& ends) {
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
    if (y > 0) ends.intersect(i, {-HUGE_VAL, margin});
    if (y < 0) ends.intersect(i, {-margin, HUGE_VAL});
  }
}

// Everything that is known without a step: the tightest of all.
template <class Fit>
std::vector<Ends> removal_bounds(const Fit& fit, Tick& tick) {
  constexpr double most_net_entries = 2e8;
  std::vector<Ends> ends = region::nothing_of(fit.n(), 1);
  if (!fit.sparse() || static_cast<double>(fit.n()) * fit.rows.dim() <= most_net_entries) {
    fit.problem.free() ? tilted_removal(fit, ends[0], tick) : ball_removal(fit, ends, tick);
  }
  // with an l1 part the subgradient of the fit serves without the row, if the penalty stays
  if (fit.ellipsoid.norms.size() > 0 && (!fit.sparse() || fit.cost())) {
    step_removal(fit, ends);
  }
  if (fit.cost()) own_loss_removal(fit, ends[0]);
  return ends;
}

// The same of rows that leave together, by the step alone.
template <class Fit>
std::vector<Ends> removal_bounds(const Fit& fit, const std::vector<std::vector<Index>>& sets,
                                 Tick& tick) {
  std::vector<Ends> ends = region::nothing_of(fit.n(), 1);
  if (!fit.ellipsoid.factor.usable() || (fit.sparse() && !fit.cost())) return ends;
  const auto one = [&](Index k, Tick& t) {
    const std::vector<Index>& out = sets[static_cast<std::size_t>(k)];
    if (is_few(fit, out)) step_removal(fit, out, ends);
    t.look();
  };
  fit.rows.team.for_chunks(static_cast<Index>(sets.size()), one, tick);
  return ends;
}

}  // namespace dualmargin::decide
