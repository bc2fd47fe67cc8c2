#include "algebra/norm_cone.h"

#include <algorithm>

namespace dualmargin {

namespace {

// The level with sum_j max(|x_j| - level, 0) = a + b level, above `from`, where the left side is
// the larger one. Newton's method on a convex piecewise linear function: monotone and finite.
double water_level(const Vec& x, double a, double b, double from) {
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
void shrink(Vec& x, double level) {
  for (Index j = 0; j < x.size(); ++j) x[j] = soft_threshold(x[j], level);
}
void clip(Vec& x, double level) { x = x.cwiseMax(-level).cwiseMin(level); }

}  // namespace

NormCone NormCone::dual() const {
  return {q == Norm::l1 ? Norm::linf : q == Norm::linf ? Norm::l1 : Norm::l2};
}

double NormCone::norm(const Vec& x) const {
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

void NormCone::project_epigraph(double m, Vec& w, double& t) const {
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

double NormCone::project_ball(double r, Vec& w) const {
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

double NormCone::squared_distance(double r, const Vec& w) const {
  Vec inside = w;
  const double nu = project_ball(r, inside);
  return q == Norm::l2 ? nu * nu : (w - inside).squaredNorm();
}

}  // namespace dualmargin
