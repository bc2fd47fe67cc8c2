// Weights and intercepts across the border: inside they are those of the moved and scaled columns
// and of the moved response, outside those of what the user gave.
#pragma once

#include "border/call.h"

namespace dualmargin::border {

// The same problem for x_j = (user's x_j - centre_j) / (scale_j unit) and y = user's y - level:
// w_j is scale_j unit times the user's, b is the user's plus sum_j user's w_j centre_j less level.
// `near`, what leaves beside the user's intercept, is that of the moved columns: where the centre is
// far away, it has the digits that the other one loses.
struct Frame {
  const Vec &scales, &centre;
  bool penalized, free;
  double level, unit;

  template <class Store>  // RowStore, or what else moves and scales columns
  Frame(const Store& rows, bool penalized_, bool free_, double level_ = 0, double unit_ = 1)
      : scales(rows.scales()),
        centre(rows.centre()),
        penalized(penalized_),
        free(free_),
        level(level_),
        unit(unit_) {}

  // sum_j w_j centre_j for the weights of the user's columns
  double offset(const Vec& w) const {
    Sum sum;
    for (Index j = 0; j < centre.size(); ++j) {
      if (centre[j] != 0) sum.add(w[j] * centre[j]);
    }
    return sum.value();
  }

  // b is 0 where it is not free, whatever the intercept of the start was.
  void enter(const WarmStart& start, int k, Vec& w, double& b) const {
    const Index p = scales.size();
    const Vec slopes = start.column("coefficients", k, p);
    const double intercept = start.number("intercept", k) + offset(slopes) - level;
    w = Vec::Zero(p + penalized);
    w.head(p) = slopes.cwiseProduct(scales) * unit;
    if (penalized) w[p] = intercept * unit;
    b = free ? intercept : 0.0;
  }
  template <class Out>  // Fields, or an Answer
  void leave(const Vec& w, double b, Out& out) const {
    const Index p = scales.size();
    const Vec slopes = w.head(p).cwiseQuotient(scales) / unit;
    const double intercept = (penalized ? w[p] / unit : b) + level;
    out.add("near", intercept);
    out.add("intercept", intercept - offset(slopes));
    out.add_coefficients(slopes);
  }
};

}  // namespace dualmargin::border
