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

#include <array>

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
  double value(const PairNumbers& pair, double lambda) const;
  // P - D, from above.
  double gap(const PairNumbers& pair, double lambda) const;
  // Not above D at its own lambda.
  double bound(const PairNumbers& pair) const;

  // Where the relative gap stays below eps on the way down (side = -1) or up (side = 1), by
  // bisection of the logarithm: the inner end. NaN: not even at its own lambda.
  double reach(const PairNumbers& pair, double eps, int side) const;

  // What sums of squares and products of a few numbers may have lost at most, several times over.
  static constexpr double raised = 1 + 1e-12;

 private:
  double ridge_gap(const PairNumbers& pair, double lambda) const;

  double net_gap(const PairNumbers& pair, double lambda) const;
  static double at_share(const PairNumbers& pair, const ElasticNet& g, double share);
  static double misfit_at(const PairNumbers& pair, double share);

  double mixture_;
};

}  // namespace dualmargin::decide
