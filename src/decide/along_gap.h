// The duality gap of a pair at penalties other than its own.
//
// With the misfit F = (1/W) sum omega [phi(z) + phi*(a) - a z], u = (1/W) sum omega a x and a share
// m of the l1 norm in the penalty, a pair (w, b), a found at lambda_0 has at lambda, ridge (m = 0):
//
//   gap(lambda) = F + |lambda w + u|^2 / (2 lambda),   lambda w + u = (lambda - lambda_0) w + e,
//   e = lambda_0 w + u
//
// and with an l1 part, where a is scaled by theta, F(theta) convex so that chords are above it:
//
//   gap(lambda) = F(theta) + sum_j [g(w_j) + g*(-theta u_j) + theta u_j w_j]
//
// A gap is convex and P linear in lambda: where gap <= eps P is an interval. J. Giesen, M. Jaggi
// and S. Laue (2012), Approximating Parameterized Convex Optimization Problems, ACM Transactions on
// Algorithms 9(1), 10.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/rounding.h"
#include "base/square.h"
#include "loss/elastic_net.h"

namespace dualmargin::decide {

// Shares theta of a dual point at which its misfit is known.
constexpr std::array<double, 14> dual_shares{0,     0.5,   0.8,   0.9,    0.95,   0.98,   0.99,
                                             0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999, 1};

struct PairNumbers {
  double lambda = 0;
  double misfit = 0, loss = 0;            // F, and (1/W) sum omega phi
  double w1 = 0, ww = 0, we = 0, ee = 0;  // |w|_1, w'w, w'e, e'e
  double du = 0;                          // what rounding did to |u|
  double dim = 0;
  // with an l1 part
  Vec w, u;
  std::array<double, dual_shares.size()> misfits{};
};

class PenaltyShare {
 public:
  explicit PenaltyShare(double mixture) : mixture_(mixture) {}

  double mixture() const { return mixture_; }
  bool ridge() const { return mixture_ == 0; }

  // P of the pair.
  double value(const PairNumbers& pair, double lambda) const {
    return pair.loss + lambda * (mixture_ * pair.w1 + (1 - mixture_) / 2 * pair.ww);
  }
  // P - D, from above.
  double gap(const PairNumbers& pair, double lambda) const {
    return raised * (ridge() ? ridge_gap(pair, lambda) : net_gap(pair, lambda));
  }
  // Not above D at its own lambda.
  double bound(const PairNumbers& pair) const {
    const double size = value(pair, pair.lambda);
    return size - gap(pair, pair.lambda) - rounding::of_value() * size;
  }

  // Where the relative gap stays below eps on the way down (side = -1) or up (side = 1), by
  // bisection of the logarithm: the inner end. NaN: not even at its own lambda.
  double reach(const PairNumbers& pair, double eps, int side) const {
    const auto inside = [&](double lambda) {
      return gap(pair, lambda) <= eps * value(pair, lambda);
    };
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

  // What sums of squares and products of a few numbers may have lost at most, several times over.
  static constexpr double raised = 1 + 1e-12;

 private:
  double ridge_gap(const PairNumbers& pair, double lambda) const {
    const double step = lambda - pair.lambda, size = step * step * pair.ww + pair.ee;
    const Square square{size + 2 * step * pair.we, 2 * rounding::of_score(pair.dim) * size};
    if (!square.possible()) return HUGE_VAL;
    // |step w + e|: the length that was computed, with what its rounding and that of u leave
    const double off = std::sqrt(square.value() + square.rounding) + pair.du +
                       rounding::of_term() * lambda * std::sqrt(pair.ww);
    return pair.misfit + off * off / (2 * lambda);
  }

  double net_gap(const PairNumbers& pair, double lambda) const {
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
  static double at_share(const PairNumbers& pair, const ElasticNet& g, double share) {
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
  static double misfit_at(const PairNumbers& pair, double share) {
    std::size_t k = 1;
    while (k + 1 < dual_shares.size() && dual_shares[k] < share) ++k;
    const double low = dual_shares[k - 1], high = dual_shares[k];
    const double t = (share - low) / (high - low);
    return (1 - t) * pair.misfits[k - 1] + t * pair.misfits[k];
  }

  double mixture_;
};

}  // namespace dualmargin::decide
