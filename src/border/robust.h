// Solutions of the robust family across the border: a start comes in, a report goes out. Weights
// are those of the columns of the problem inside and of the user's columns outside.
#pragma once

#include <vector>

#include "border/call.h"
#include "robust/report.h"
#include "rows/row_store.h"

namespace dualmargin::robust {

// Weights count relative to one another: divided by a power of two, which changes no digit, so that
// no sum of them overflows.
inline Vec relative_weights(const Rcpp::NumericVector& weights) {
  int exponent = 0;
  std::frexp(border::vec(weights).maxCoeff(), &exponent);
  return border::vec(weights).unaryExpr([exponent](double w) { return std::ldexp(w, -exponent); });
}

// The frame in which a robust problem is solved: x_j = (user's x_j - centre_j) / (scale_j unit),
// whose w_j is scale_j unit times the user's and whose free b is his plus sum_j w_j centre_j.
// In another unit of the rows it is the same problem with radius and label cost in that unit and
// the ridge in its square. The unit is a power of two, which changes no digit, and 1 but for rows
// that are far larger or smaller: the methods start from w = 0 and t = 1, and b has no unit.
class RobustFrame {
 public:
  RobustFrame(RowStore& rows, bool penalized, bool free)
      : rows_(rows), penalized_(penalized), free_(free) {
    constexpr int near = 5, most = 400;
    const double largest = std::max(rows.largest(), penalized ? 1.0 : 0.0);
    const int exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
    if (std::abs(exponent) <= near) return;
    unit_ = std::ldexp(1.0, std::clamp(exponent, -most, most));
    rows.divide(unit_);
  }

  template <class F>  // f(data): the rows of the problem
  void visit(F f) const {
    rows_.visit(penalized_ ? 1 / unit_ : 0.0, f);
  }

  double unit() const { return unit_; }
  Settings settings(NormCone cone, double radius, double label_cost, double ridge) const {
    return {cone, radius / unit_, label_cost / unit_, ridge / unit_ / unit_, free_};
  }

  // (w, b) of the problem for the user's slopes and intercept, and the other way round
  void enter(const Vec& slopes, double intercept, Solution& s) const {
    const Index p = rows_.columns();
    s.w = Vec::Zero(p + penalized_);
    s.w.head(p) = slopes.cwiseProduct(rows_.scales()) * unit_;
    if (penalized_) s.w[p] = intercept * unit_;
    if (free_) s.b = intercept + rows_.offset(slopes);
  }
  Vec slopes(const Solution& s) const {
    return s.w.head(rows_.columns()).cwiseQuotient(rows_.scales()) / unit_;
  }
  double intercept(const Solution& s) const {
    return penalized_ ? s.w[rows_.columns()] / unit_ : s.b - rows_.offset(slopes(s));
  }

 private:
  const RowStore& rows_;
  bool penalized_, free_;
  double unit_ = 1;
};

inline std::vector<Solution> starting_points(const border::Start& start, int classes,
                                             const RobustFrame& frame) {
  std::vector<Solution> points(classes);
  if (!start.has("coefficients")) return points;
  for (int k = 0; k < classes; ++k) {
    Solution& s = points[k];
    frame.enter(start.column("coefficients", k), start.number("intercept", k), s);
    s.t = start.number("norm_bound", k) * frame.unit();
    if (!start.has("alpha")) continue;
    s.alpha = start.column("alpha", k);
    s.beta = start.column("beta", k);
  }
  return points;
}

inline border::Answer answer(const Report& r, const RobustFrame& frame, bool brief) {
  border::Answer out(r, r.solution.solver, brief);
  out.add("intercept", frame.intercept(r.solution));
  out.add("norm_bound", r.solution.t / frame.unit());
  out.add("norm_limit", r.norm_limit / frame.unit());
  out.add_coefficients(frame.slopes(r.solution));
  if (brief) return out;
  out.add("scores", r.solution.z);
  out.add("dual", r.solution.alpha);
  out.add("dual_flip", r.solution.beta);
  return out;
}

}  // namespace dualmargin::robust
