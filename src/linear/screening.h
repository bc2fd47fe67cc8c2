// Gap-safe screening: O. Fercoq, A. Gramfort and J. Salmon (2015), ICML, arXiv:1505.03410; E.
// Ndiaye, O. Fercoq, A. Gramfort and J. Salmon (2017), Journal of Machine Learning Research
// 18(128), theorem 6.
//
// phi is 1/gamma-smooth, so phi^* is gamma-strongly convex and the dual gamma-strongly concave in
// |a|^2 = (1/W) sum_i omega_i a_i^2: the dual optimum lies within r = sqrt(2 gap / gamma) of a.
// Hence
//   |u_j(a*)| <= |u_j(a)| + r |x_j|,
// and where this is below l1, w_j* = 0: for l2 = 0 by complementarity, for l2 > 0 because
// w* = S(-u*, l1) / l2. On a side where w_j has the bound 0 it need not be below. With a free
// intercept a* - a is orthogonal to the constant, and |x_j| may be taken of the centred column.
#pragma once

#include <algorithm>
#include <vector>

#include "linear/problem.h"
#include "rows/columns.h"

namespace dualmargin::linear {

class Screening {
 public:
  Screening(const LinearProblem& problem, const Columns& x, Tick& tick)
      : norm_(x.dim()), live_(x.dim()) {
    const RowVec h = problem.rows.weights / problem.rows.total_weight;
    for (Index j = 0; j < x.dim(); ++j) {
      const Columns::Moments m = x.moments(j, h.local());
      const double centre = problem.losses.free_intercept ? m.first * m.first : 0.0;
      // not below the rounding of the difference: a norm too small would not be safe
      norm_[j] = std::sqrt(std::max(m.second - centre, 1e-14 * m.second));
      live_[j] = j;
      tick.row(j);
    }
  }

  // Removes, for good, the columns that are zero in every optimum, and returns them. u and gap
  // belong to one feasible dual point; `rounding` is what the gap may be wrong by.
  std::vector<Index> remove(const ElasticNet& g, double gamma, const Vec& u, double gap,
                            double rounding) {
    const double radius = std::sqrt(2 * (std::max(gap, 0.0) + rounding) / gamma);
    const auto stays = [&](Index j) {
      const double room = g.l1_of(j) * (1 - 1e-12) - radius * norm_[j];
      const bool grows = g.upper(j) > 0 && !(-u[j] < room);
      const bool falls = g.lower(j) < 0 && !(u[j] < room);
      return grows || falls;
    };
    const auto out = std::stable_partition(live_.begin(), live_.end(), stays);
    const std::vector<Index> removed(out, live_.end());
    live_.erase(out, live_.end());
    return removed;
  }

  const std::vector<Index>& live() const { return live_; }
  const Vec& norms() const { return norm_; }  // weighted, of the columns

 private:
  Vec norm_;
  std::vector<Index> live_;
};

}  // namespace dualmargin::linear
