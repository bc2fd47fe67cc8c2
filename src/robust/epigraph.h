// The norms of the robust family, their balls and their epigraphs, each as a pure function.
//
//   project_epigraph: argmin (m/2)|w - x|_2^2 + (1/2)(t - s)^2   over   |w|_q <= t,
//
// m = 1 is the Euclidean projection; a ridge c turns a step of length a into m = 1 + a c. Every
// case is one level of water_level(): S. Boyd, N. Parikh, Proximal Algorithms (2014), section 6.5;
// P.-W. Wang, M. Wytock, Z. Kolter, Epigraph Projections for Fast General Convex Programming,
// ICML 2016. J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, (15) and (22), have m = 1.
#pragma once

#include <algorithm>

#include "base/numeric.h"

namespace dualmargin::robust {

enum class Norm { l1, l2, linf };

inline Norm dual(Norm q) { return q == Norm::l1 ? Norm::linf : q == Norm::linf ? Norm::l1 : q; }

inline double norm(Norm q, const Vec& x) {
  if (x.size() == 0) return 0;
  switch (q) {
    case Norm::l1:
      return sum_over(x.size(), [&](Index j) { return std::abs(x[j]); });
    case Norm::l2:
      return x.stableNorm();
    default:
      return x.cwiseAbs().maxCoeff();
  }
}

// The level with sum_j max(|x_j| - level, 0) = a + b level, above `from`, where the left side is
// the larger one. Newton's method on a convex piecewise linear function: monotone and finite.
inline double water_level(const Vec& x, double a, double b, double from) {
  double level = from;
  for (;;) {
    double rest = -(a + b * level);
    Index above = 0;
    for (Index j = 0; j < x.size(); ++j) {
      const double over = std::abs(x[j]) - level;
      if (over > 0) rest += over, ++above;
    }
    const double next = level + rest / (static_cast<double>(above) + b);
    if (!(next > level)) return level;
    level = next;
  }
}

inline void soft_threshold(Vec& x, double level) {
  for (Index j = 0; j < x.size(); ++j) x[j] = dualmargin::soft_threshold(x[j], level);
}
inline void clip(Vec& x, double level) { x = x.cwiseMax(-level).cwiseMin(level); }

// (w, t) in place
inline void project_epigraph(Norm q, double m, Vec& w, double& t) {
  const double size = norm(q, w);
  if (size <= t) return;
  // apex: (x, s) lies in the polar cone, m |x|_p <= -s
  if (m * norm(dual(q), w) <= -t) {
    w.setZero();
    t = 0;
    return;
  }
  if (q == Norm::l2) {
    t = (m * size + t) / (m + 1);
    w *= t / size;
  } else if (q == Norm::l1) {
    const double level = water_level(w, t, m, 0);
    soft_threshold(w, level);
    t = std::max(t + m * level, 0.0);
  } else {
    t = water_level(w, -t / m, 1 / m, std::max(t, 0.0));
    clip(w, t);
  }
}

// argmin |w - x|_2 over |w|_q <= r. Returns nu: the ball's constraint pulls with the force
// nu d|w|_q.
inline double project_ball(Norm q, double r, Vec& w) {
  const double size = norm(q, w);
  if (size <= r) return 0;
  if (q == Norm::l2) {
    w *= r / size;
    return size - r;
  }
  if (q == Norm::l1) {
    const double level = r > 0 ? water_level(w, r, 0, 0) : norm(Norm::linf, w);
    soft_threshold(w, level);
    return level;
  }
  const double before = norm(Norm::l1, w);
  clip(w, r);
  return before - norm(Norm::l1, w);
}

// The squared distance of v from the ball |.|_q <= r.
inline double squared_distance_to_ball(Norm q, double r, const Vec& v) {
  if (q == Norm::l2) {
    const double over = std::max(norm(q, v) - r, 0.0);
    return over * over;
  }
  Vec inside = v;
  project_ball(q, r, inside);
  return (v - inside).squaredNorm();
}

}  // namespace dualmargin::robust
