// Solutions of the robust family across the border: a start comes in, a report goes out.
#pragma once

#include <vector>

#include "border/frame.h"
#include "robust/robust_svm.h"
#include "rows/row_store.h"

namespace dualmargin::robust {

// Weights count relative to one another: divided by a power of two, which changes no digit, so that
// no sum of them overflows. The same one on all ranks.
inline Vec relative_weights(const Rcpp::NumericVector& weights, Team& team) {
  int exponent = 0;
  double largest = border::vec(weights).maxCoeff();
  team.max(largest);
  std::frexp(largest, &exponent);
  return border::vec(weights).unaryExpr([exponent](double w) { return std::ldexp(w, -exponent); });
}

// In another unit of the rows it is the same problem with radius and label cost in that unit and
// the ridge in its square. The unit is a power of two, which changes no digit, and 1 but for rows
// that are far larger or smaller: the methods start from w = 0 and t = 1, and b has no unit. Rows
// shorter than the radius cannot pay for a w: there t is near 2 / kappa (closed_form.cpp).
inline double change_unit(RowStore& rows, bool penalized, double radius, double label_cost,
                          Team& team) {
  constexpr int near = 5, most = 400;
  double longest = rows.largest();
  team.max(longest);
  const double told = longest >= radius ? longest : std::isfinite(label_cost) ? label_cost : radius;
  const double largest = std::max(told, penalized ? 1.0 : 0.0);
  const int exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
  if (std::abs(exponent) <= near) return 1;
  const double unit = std::ldexp(1.0, std::clamp(exponent, -most, most));
  rows.divide(unit);
  return unit;
}

inline std::vector<Solution> starting_points(const border::WarmStart& start, int classes,
                                             const border::Frame& frame, Index n) {
  std::vector<Solution> points(classes);
  if (!start.has("coefficients")) return points;
  for (int k = 0; k < classes; ++k) {
    if (!start.has("coefficients", k)) continue;
    Solution& s = points[k];
    frame.enter(start, k, s.w, s.b);
    s.t = start.number("norm_bound", k) * frame.unit;
    if (!start.has("alpha", k)) continue;
    s.alpha = RowVec(start.column("alpha", k, n));
    s.beta = RowVec(start.column("beta", k, n));
  }
  return points;
}

inline border::Answer answer(const Report& r, const border::Frame& frame, bool brief) {
  border::Answer out(r, r.solution.solver, brief);
  frame.leave(r.solution.w, r.solution.b, out);
  out.add("norm_bound", r.solution.t / frame.unit);
  out.add("norm_limit", r.norm_limit / frame.unit);
  if (brief) return out;
  out.add("scores", r.solution.z.local());
  out.add("dual", r.solution.alpha.local());
  out.add("dual_flip", r.solution.beta.local());
  return out;
}

}  // namespace dualmargin::robust
