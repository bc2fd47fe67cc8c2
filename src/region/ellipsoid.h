// Around a point (w, b) near the optimum of the logistic or squared loss the curvature there says
// more than strong convexity does: with the Hessian H and the gradient G of P at (w, b),
//
//   nu = |G|_{H^-1},  R = max_i |(x_i, 1)|_{H^-1},  psi(s) = -log(1 - s)/s,
//   |(w, b) - (w*, b*)|_H <= nu psi(nu R)   if nu R < 1,
//
// since phi''(z + s) >= phi''(z) e^{-|s|} (F. Bach 2010, Self-concordant analysis for logistic
// regression, Electronic Journal of Statistics 4, 384-414); psi = 1 for the squared loss. With an
// l1 part G has that subgradient which makes it smallest.
#pragma once

#include <cmath>

#include "region/pair.h"

namespace dualmargin::region {

constexpr Index largest_hessian = 2000;

// psi(s), the factor of a step in the Hessian's norm; infinite from 0.9 on.
double step_factor(double s);

// H = D R'R D with a diagonal D = `size` that leaves a unit diagonal; of no size where H is
// singular up to rounding, or the time is over.
struct Factor {
  Mat root;              // R, upper
  Vec size, inverse;     // inverse: (H^-1)_jj^(1/2)
  double inflation = 1;  // what norms are multiplied by for their rounding

  bool usable() const { return size.size() > 0; }
  Mat whitened(const ConstMatRef& v) const;  // R^{-T} D^{-1} v: its norm is |v|_{H^-1}
  double norm(const Vec& v) const { return whitened(v).norm() * inflation; }
  Vec solve(const Vec& v) const;  // H^-1 v
};

// Of n rows. Errors of the entries of H are those of its sums, `adding` of the diagonal, those of
// the factor u q; over the least eigenvalue they are what norms are too small by. cancelled: what
// moving the rows took from the diagonal, relative to what is left.
Factor factor_of(const Mat& hessian, double adding, double cancelled, Tick& tick);

// |(x_i, 1)|_{H^-1} of rows, from above; without the 1 unless `bordered`.
RowVec inverse_norms(const Factor& f, const MovedRows& rows, bool bordered, Tick& tick);

struct Ellipsoid {
  Factor factor;
  bool free = false;
  double reach = 0, nu = HUGE_VAL;
  double radius = HUGE_VAL;  // nu psi(nu R)
  RowVec norms;              // of the rows of the problem

  bool usable() const { return factor.usable() && std::isfinite(radius); }
  double inflation() const { return factor.inflation; }
  // |(w, 0)|_{H^-1}
  double length_of(const Vec& w) const;
};

// sum_i h_i (x_i, 1)(x_i, 1)' + mu I, without mu for a free intercept.
Factor factored_hessian(const Problem& problem, const RowVec& h, Tick& tick);

// The gradient of P at scores z with the slopes of phi, of (w, b); with the subgradient of the l1
// part that makes it smallest.
Vec gradient_of(const Problem& problem, const Vec& w, const RowVec& slope, Tick& tick);

Ellipsoid ellipsoid_of(const Problem& problem, const Pair& pair, Tick& tick);

}  // namespace dualmargin::region
