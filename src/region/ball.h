// The ball |w* - m| <= r of a strongly convex penalty, m = (w + w(a))/2, w(a) = S(-u, l1)/mu,
//
//   r^2 = gap/mu - |w - w(a)|^2/4,
//
// where gap - mu/2 |w - w(a)|^2 = F + sum_j |w_j| (l1 - sign(w_j) clip(-u_j, l1)), so that nothing
// cancels: NetParts has what hangs on the penalty. It is the mean of two balls: around w since P is mu-strongly
// convex, and around w(a) since the gap of the pair (w*, a) holds mu/2 |w* - w(a)|^2 (E. Ndiaye, O. Fercoq,
// A. Gramfort, J. Salmon 2017, Gap Safe Screening Rules, JMLR 18(128); the bound with both is ours).
#pragma once

#include <utility>
#include <vector>

#include "region/pair.h"

namespace dualmargin::region {

template <class Vector>
struct BallIn {
  Vector centre;
  double radius = HUGE_VAL, gap = HUGE_VAL;
};
using Ball = BallIn<Vec>;

// r from above. excess: what the gap has beside mu/2 apart^2; lost: how far the centre can be off.
double ball_radius(double excess, double apart, double mu, double lost);

template <class Vector>
BallIn<Vector> ball_around(Vector centre, double excess, double apart, double mu, double lost) {
  return {std::move(centre), ball_radius(excess, apart, mu, lost), excess + mu / 2 * apart * apart};
}

// misfit: the sum over j from above, for entries of u that are known to `off`; apart: |w - w(a)|.
struct NetParts {
  Vec dual_w;
  double misfit, apart, off;
};
NetParts net_parts(const Vec& w, const Vec& u, const Vec& off, const ElasticNet& g);
// sum_j |u_j w_j| + g(w), about: the terms of u'w + g(w) + g*(-u).
double net_size(const Vec& w, const Vec& u, const ElasticNet& g);

Ball ball_of(const Problem& problem, const Pair& pair);

// Which w*_j are 0 for certain: (1/W) sum omega (a - a*)^2 <= 2 gap/gamma, so |u_j - u*_j| is at
// most (2 gap/gamma)^(1/2) times the size of the column, centred where sum omega (a - a*) = 0; and
// |u*_j| < l1 makes w*_j 0.
std::vector<int> zeros_of(const Problem& problem, const Pair& pair, double gap, Tick& tick);

// The zeros of a lasso, whose dual point must have |u|_inf <= l1: u* is that of any optimal a*.
std::vector<int> lasso_zeros_of(const Problem& problem, const Pair& pair, Tick& tick);

}  // namespace dualmargin::region
