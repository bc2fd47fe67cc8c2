// What is certain about the optimum of a distributionally robust fit with a ridge c > 0
// (robust/robust_svm.h): for fixed multipliers its Lagrangian is c-strongly convex in w, so |w* -
// w|^2 <= 2 gap/c; and with multipliers alpha, beta of the two pieces of the loss, v = (1/W) sum
// omega (alpha - beta) y x, theta = radius - kappa (1/W) sum omega beta and the ball B of the dual
// norm,
//
//   w(a) = (v - Proj_{theta B} v)/c,   D = (1/W) sum omega (alpha + beta) - c/2 |w(a)|^2,
//   |w* - m|^2 <= (P - D)/c - |w - w(a)|^2/4,   m = (w + w(a))/2.
//
// The bound t* on the norm of w* is in no ball; of t* an interval is known.
#pragma once

#include "algebra/norm_cone.h"
#include "region/region.h"

namespace dualmargin::region {

struct RobustPair {
  Vec w;
  double b = 0;
  RowVec alpha, beta;  // of no length where the fit has none
  double value = HUGE_VAL, gap = HUGE_VAL;
};

struct RobustSet {
  NormCone norm;
  double radius = 0, cost = 0, ridge = 0;
};

OffsetRule flip_rule(const Rows& rows, double cost, Interval t);

struct RobustRegion {
  Region region;
  Interval norm, t;
  OffsetRule rule;
};

// problem: of the hinge, without a penalty. value, gap: of the fit's certificate, which hold their
// rounding.
RobustRegion region_of(const Problem& problem, const RobustSet& set, const RobustPair& pair,
                       const Vec& origin, Tick& tick);

}  // namespace dualmargin::region
