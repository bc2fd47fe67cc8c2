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
#include <vector>

#include "region/pair.h"

namespace dualmargin::region {

constexpr Index largest_hessian = 2000;

// psi(s), the factor of a step in the Hessian's norm; infinite from 0.9 on.
double step_factor(double s);

// The lemma in a norm in which rows are no longer than `reach`, and which is at most `stretch` times
// that of the Hessian at the point; nu: the length of the gradient in the Hessian's. How far the
// optimum is in the first one. constant: curvature that no step changes.
double by_curvature(double nu, double reach, bool constant, double stretch = 1);

// What a Newton step misses of a gradient, in units of its length, where no score moves by more than
// t on the way: (e^t - 1 - t)/t.
double missed_by_step(double t);

// The lemma once a row has left, in the norm of what is left of a Hessian, of which a share `shrink` is the
// ridge's at least. g: the length of the gradient there was; drop: that of the row's; rows are no longer
// than `reach`. How far the optimum is from the pair, and from the end of the row's Newton step; nothing
// of that where scores move too far on the way.
struct Left {
  double direct, stepped;
};
Left by_leaving(double g, double drop, double reach, double shrink, bool constant);

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

// |(x_i, 1)|_{H^-1} of some rows (none: all), from above; without the 1 where H has no entry for it.
Vec inverse_norms(const Factor& f, const Rows& rows, Tick& tick, const std::vector<Index>* some);
inline RowVec inverse_norms(const Factor& f, const Rows& rows, Tick& tick) {
  return RowVec(inverse_norms(f, rows, tick, nullptr));
}

template <class AnyFactor>
struct EllipsoidIn {
  AnyFactor factor;
  bool free = false;
  double reach = 0, nu = HUGE_VAL;
  double radius = HUGE_VAL;               // nu psi(nu R)
  RowVec norms;                           // of the rows of the problem
  double inflation = 1, length_of_w = 0;  // by what norms may be too large; |(w, 0)|_{H^-1}

  bool usable() const { return factor.usable() && std::isfinite(radius); }
};
using Ellipsoid = EllipsoidIn<Factor>;

// sum_i h_i (x_i, 1)(x_i, 1)', without the 1 unless `bordered`, with the ridge of each column and `more`,
// where that is something.
Factor factored_hessian(const Rows& rows, const RowVec& h, const Vec& ridge, bool bordered,
                        Tick& tick, const Mat& more = Mat());
// The same of a problem: + mu I, without mu for a free intercept. The last is for functions.
Factor factored_hessian(const Problem& problem, const RowVec& h, Tick& tick, double = 0);

// The gradient of P at scores z with the slopes of phi, of (w, b); with the subgradient of the l1
// part that makes it smallest.
Vec gradient_of(const Problem& problem, const Vec& w, const RowVec& slope, Tick& tick);

}  // namespace dualmargin::region
