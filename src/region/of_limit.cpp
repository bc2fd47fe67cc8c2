#include "region/of_limit.h"

#include <algorithm>

#include "base/slack.h"

namespace dualmargin::region {

Region limited_region(const Limited& fit, const Vec& centre) {
  const Index p = fit.slopes.size(), d = centre.size();
  const Vec moved = centre.head(p).cwiseProduct(fit.slopes);
  Region r;
  r.w = Vec(d);
  r.w.head(p) = fit.slopes;
  Vec at = -centre;
  if (d > p) {
    r.w[p] = fit.intercept - fit.level + moved.sum();
    at[p] = 1;
  }
  const double limit = std::isfinite(fit.limit) ? std::max(fit.limit, 0.0) : HUGE_VAL;
  const double level = std::abs(fit.level);
  r.ball = {r.w,
            std::sqrt(2 * limit / fit.mu) * rounding::raised +
                rounding::of(8) * (r.w.norm() + level + moved.cwiseAbs().sum()),
            limit};
  r.offset = fit.level;
  r.zero.assign(static_cast<std::size_t>(d), 0);
  const double here = at.dot(r.w) + fit.level;
  const double half = r.ball.radius * at.norm() * rounding::raised +
                      rounding::of(2 * (static_cast<double>(d) + 3)) *
                          (at.cwiseProduct(r.w).cwiseAbs().sum() + level);
  r.intercept = {here - half, here + half};
  return r;
}

}  // namespace dualmargin::region
