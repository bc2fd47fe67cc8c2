// Weights and intercepts across the border: inside they are those of the moved and scaled columns
// and of the moved response, outside those of what the user gave.
#pragma once

#include "border/call.h"
#include "rows/row_store.h"

namespace dualmargin::border {

// The same problem for x_j = (user's x_j - centre_j) / (scale_j unit) and y = user's y - level:
// w_j is scale_j unit times the user's, b is the user's plus sum_j user's w_j centre_j less level.
// `near`, what leaves beside the user's intercept, is that of the moved columns: where the centre is
// far away, it has the digits that the other one loses.
struct Frame {
  const RowStore& rows;
  bool penalized, free;
  double level = 0, unit = 1;

  // b is 0 where it is not free, whatever the intercept of the start was.
  void enter(const Start& start, int k, Vec& w, double& b) const {
    const Index p = rows.columns();
    const Vec slopes = start.column("coefficients", k);
    const double intercept = start.number("intercept", k) + rows.offset(slopes) - level;
    w = Vec::Zero(p + penalized);
    w.head(p) = slopes.cwiseProduct(rows.scales()) * unit;
    if (penalized) w[p] = intercept * unit;
    b = free ? intercept : 0.0;
  }
  void leave(const Vec& w, double b, Answer& out) const {
    const Index p = rows.columns();
    const Vec slopes = w.head(p).cwiseQuotient(rows.scales()) / unit;
    const double intercept = (penalized ? w[p] / unit : b) + level;
    out.add("near", intercept);
    out.add("intercept", intercept - rows.offset(slopes));
    out.add_coefficients(slopes);
  }
};

}  // namespace dualmargin::border
