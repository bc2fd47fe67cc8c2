// The ball of the problem without a row, for all rows at once from one pair. A penalty of kappa/2
// |w|^2 stands beside sum omega phi: rule "cost" keeps kappa = mu W, rule "lambda" has kappa_i = mu
// (W - omega_i). With an l1 part the balls are those of region/ball.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/slack.h"
#include "base/square.h"
#include "decide/fitted.h"

namespace dualmargin::decide {

// With an l1 part: of U once `moved` has left it, beside kappa/2 |w|^2. off: of the entries of `moved`
// but for its own rounding.
region::NetParts net_without(const Fitted& fit, const Vec& moved, const Vec& off, double kappa);

// With an l1 part the ball of one row, where there is one.
void net_ball_removal(const Fitted& fit, Index i, double rest, Ends& ends, Tick& tick);

// No or a penalised intercept. Row i out, its a_i set to 0 and w kept: with F_i = sum_{j != i}
// omega_j FY_j and e_i = kappa_i w + U - omega_i a_i x_i the optimum without row i is in the ball
// around w - e_i/(2 kappa_i) with squared radius F_i/kappa_i + |e_i|^2/(4 kappa_i^2). Of k scores
// there are w_c and a_ic of each.
template <class Fit>
void ball_removal(const Fit& fit, std::vector<Ends>& ends, Tick& tick) {
  using ScoreVector = typename Fit::ScoreVector;
  const auto& rows = fit.rows;
  const auto r = residual_of(fit, tick);
  const RowVec& squares = rows.squares(tick);
  const double all = fit.W() * fit.mean_excess();
  rows.for_ranges(
      [&](Index begin, Index end, Tick& t) {
        for (Index i = begin; i < end; ++i, t.row(i)) {
          const double omega = fit.omega(i), kappa = fit.kappa_without(i);
          if (!(kappa > 0)) continue;
          const double rest = std::max(0.0, all - omega * fit.excess(i));
          if constexpr (Fit::by_columns) {
            if (fit.sparse()) {
              net_ball_removal(fit, i, rest, ends[0], t);
              continue;
            }
          }
          const ScoreVector out = omega * fit.dual(i), score = fit.scores(i), along = r.along_row(i);
          const double less = fit.kappa() - kappa, x2 = squares[i], x = std::sqrt(x2);
          const double size = r.square + less * less * r.w_square + out.squaredNorm() * x2;
          const double e2 =
              size - 2 * less * r.own - 2 * out.dot(along) + 2 * less * out.dot(score);
          const double e =
              std::sqrt(square_above(e2, r.lost_in_square(i, less, out.norm(), size))) + r.rounding;
          const double radius =
              std::sqrt(rest / kappa + e * e / (4 * kappa * kappa)) * rounding::raised;
          const ScoreVector middle = score - (along - less * score - x2 * out) / (2 * kappa);
          const double reach = x * (radius + r.rounding / kappa);
          const double lost = fit.pair.z_rounding[i] +
                              r.lost_in_step(i, less, score.norm(), out.norm(), x2) / kappa;
          fit.for_contrasts(i, [&](std::size_t place, const ScoreVector& s) {
            const double at = s.dot(middle), half = s.norm() * reach + s.template lpNorm<1>() * lost;
            ends[place].intersect(i, {at - half, at + half});
          });
        }
      },
      tick);
}

}  // namespace dualmargin::decide
