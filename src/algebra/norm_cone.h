// The norms of the robust family, their balls and their epigraphs. With |.|_p the dual norm,
//
//   project_epigraph: argmin (m/2)|w - x|_2^2 + (1/2)(t - s)^2   over   |w|_q <= t,
//
// m = 1 is the Euclidean projection; a ridge c turns a step of length a into m = 1 + a c. Every
// case is one level of water_level(): S. Boyd, N. Parikh, Proximal Algorithms (2014), section 6.5;
// P.-W. Wang, M. Wytock, Z. Kolter, Epigraph Projections for Fast General Convex Programming,
// ICML 2016. J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, (15) and (22), have m = 1.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

enum class Norm { l1, l2, linf };

struct NormCone {
  Norm q = Norm::l1;

  NormCone dual() const;
  double norm(const Vec& x) const;
  double dual_norm(const Vec& v) const { return dual().norm(v); }

  // (w, t) in place
  void project_epigraph(double m, Vec& w, double& t) const;

  // argmin |w - x|_2 over |w|_q <= r. Returns nu: the ball's constraint pulls with the force
  // nu d|w|_q, and half the squared distance from the ball falls at the rate nu as r grows.
  double project_ball(double r, Vec& w) const;
  // The squared distance of w from the ball |.|_q <= r.
  double squared_distance(double r, const Vec& w) const;
};

}  // namespace dualmargin
