// The norms of the robust family, their balls and their epigraphs. With |.|_p the dual norm,
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

namespace dualmargin {

enum class Norm { l1, l2, linf };

struct NormCone {
  Norm q = Norm::l1;

  NormCone dual() const {
    return {q == Norm::l1 ? Norm::linf : q == Norm::linf ? Norm::l1 : Norm::l2};
  }
  double norm(const Vec& x) const {
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
  double dual_norm(const Vec& v) const { return dual().norm(v); }

  // (w, t) in place
  void project_epigraph(double m, Vec& w, double& t) const {
    const double size = norm(w);
    if (size <= t) return;
    // apex: (x, s) lies in the polar cone, m |x|_p <= -s
    if (m * dual_norm(w) <= -t) {
      w.setZero();
      t = 0;
      return;
    }
    if (q == Norm::l2) {
      t = (m * size + t) / (m + 1);
      w *= t / size;
    } else if (q == Norm::l1) {
      const double level = water_level(w, t, m, 0);
      shrink(w, level);
      t = std::max(t + m * level, 0.0);
    } else {
      t = water_level(w, -t / m, 1 / m, std::max(t, 0.0));
      clip(w, t);
    }
  }

  // argmin |w - x|_2 over |w|_q <= r. Returns nu: the ball's constraint pulls with the force
  // nu d|w|_q, and half the squared distance from the ball falls at the rate nu as r grows.
  double project_ball(double r, Vec& w) const {
    const double size = norm(w);
    if (size <= r) return 0;
    if (q == Norm::l2) {
      w *= r / size;
      return size - r;
    }
    if (q == Norm::l1) {
      const double level = r > 0 ? water_level(w, r, 0, 0) : dual_norm(w);
      shrink(w, level);
      return level;
    }
    const double before = dual_norm(w);
    clip(w, r);
    return before - dual_norm(w);
  }
  // The squared distance of w from the ball |.|_q <= r.
  double squared_distance(double r, const Vec& w) const {
    Vec inside = w;
    const double nu = project_ball(r, inside);
    return q == Norm::l2 ? nu * nu : (w - inside).squaredNorm();
  }

 private:
  // The level with sum_j max(|x_j| - level, 0) = a + b level, above `from`, where the left side is
  // the larger one. Newton's method on a convex piecewise linear function: monotone and finite.
  static double water_level(const Vec& x, double a, double b, double from) {
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
  static void shrink(Vec& x, double level) {
    for (Index j = 0; j < x.size(); ++j) x[j] = soft_threshold(x[j], level);
  }
  static void clip(Vec& x, double level) { x = x.cwiseMax(-level).cwiseMin(level); }
};

}  // namespace dualmargin
