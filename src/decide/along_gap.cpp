#include "decide/along_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.h"
#include "base/square.h"

namespace dualmargin::decide {

double PenaltyShare::value(const PairNumbers& pair, double lambda) const {
  return pair.loss + lambda * (mixture_ * pair.w1 + (1 - mixture_) / 2 * pair.ww);
}

double PenaltyShare::gap(const PairNumbers& pair, double lambda) const {
  return raised * (ridge() ? ridge_gap(pair, lambda) : net_gap(pair, lambda));
}

double PenaltyShare::bound(const PairNumbers& pair) const {
  const double size = value(pair, pair.lambda);
  return size - gap(pair, pair.lambda) - rounding::of_value() * size;
}

double PenaltyShare::reach(const PairNumbers& pair, double eps, int side) const {
  const auto inside = [&](double lambda) { return gap(pair, lambda) <= eps * value(pair, lambda); };
  if (!inside(pair.lambda)) return std::numeric_limits<double>::quiet_NaN();
  double low = 0, high = std::log(100.0);
  const auto at = [&](double step) { return pair.lambda * std::exp(side * step); };
  if (inside(at(high))) return at(high);
  for (int k = 0; k < 45; ++k) {
    const double middle = 0.5 * (low + high);
    (inside(at(middle)) ? low : high) = middle;
  }
  return at(low);
}

double PenaltyShare::ridge_gap(const PairNumbers& pair, double lambda) const {
  const double step = lambda - pair.lambda, size = step * step * pair.ww + pair.ee;
  const Square square{size + 2 * step * pair.we, 2 * rounding::of_score(pair.dim) * size};
  if (!square.possible()) return HUGE_VAL;
  // |step w + e|: the length that was computed, with what its rounding and that of u leave
  const double off = std::sqrt(square.value() + square.rounding) + pair.du +
                     rounding::of_term() * lambda * std::sqrt(pair.ww);
  return pair.misfit + off * off / (2 * lambda);
}

double PenaltyShare::net_gap(const PairNumbers& pair, double lambda) const {
  const auto g = ElasticNet::from(lambda, mixture_);
  const double full = (pair.u.size() > 0 ? pair.u.cwiseAbs().maxCoeff() : 0.0) + pair.du;
  const double most = full > 0 ? std::min(1.0, g.l1 / full) : 1;
  double least = at_share(pair, g, most);
  if (g.l2 > 0) {
    for (const double share : dual_shares) {
      if (share > most) least = std::min(least, at_share(pair, g, share));
    }
  }
  return least;
}

double PenaltyShare::at_share(const PairNumbers& pair, const ElasticNet& g, double share) {
  const double du = share * pair.du;
  double soft = 0, cross = 0;
  for (Index j = 0; j < pair.u.size(); ++j) {
    const double u = share * pair.u[j], beyond = std::max(0.0, std::abs(u) - g.l1);
    soft += beyond * beyond;
    cross += u * pair.w[j];
  }
  // what is beyond l1 by rounding counts where there is no l2 to bear it
  const double reach = std::sqrt(soft) + du;
  const double bent = g.l2 > 0 ? reach * reach / (2 * g.l2) : 0;
  const double linear = g.l1 * pair.w1 + g.l2 / 2 * pair.ww + cross;
  return misfit_at(pair, share) + std::max(0.0, linear + bent) + std::sqrt(pair.ww) * du +
         rounding::of_term() * (2 * g.l1 * pair.w1 + g.l2 * pair.ww + bent);
}

double PenaltyShare::misfit_at(const PairNumbers& pair, double share) {
  std::size_t k = 1;
  while (k + 1 < dual_shares.size() && dual_shares[k] < share) ++k;
  const double low = dual_shares[k - 1], high = dual_shares[k];
  const double t = (share - low) / (high - low);
  return (1 - t) * pair.misfits[k - 1] + t * pair.misfits[k];
}

}  // namespace dualmargin::decide
