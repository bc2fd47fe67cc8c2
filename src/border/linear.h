// Solutions of the linear family across the border: a start comes in, a report goes out. Inside,
// weights are those of the moved and scaled columns, scores those of the moved response; outside
// they are those of what the user gave.
#pragma once

#include <type_traits>
#include <vector>

#include "border/call.h"
#include "linear/report.h"
#include "loss/huber.h"
#include "loss/quantile.h"
#include "loss/squared.h"
#include "rows/row_store.h"

namespace dualmargin::linear {

// Losses of z - y alone: a constant may move from the response to a free intercept.
template <class Loss>
constexpr bool of_residual =
    std::is_same_v<Loss, Squared> || std::is_same_v<Loss, Huber> || std::is_same_v<Loss, Quantile>;

// Where the response has its origin. The problem is the same one for x_j = (user's x_j - centre_j) /
// scale_j, y = user's y - response, b = user's b + sum_j user's w_j centre_j - response.
struct Frame {
  const RowStore& rows;
  bool penalized, free;
  double response = 0;
};

// b is 0 where it is not free, whatever the intercept of the start was.
inline std::vector<Solution> starting_points(const border::Start& start, int classes,
                                             const Frame& frame) {
  std::vector<Solution> points(classes);
  if (!start.has("coefficients")) return points;
  const Index p = frame.rows.columns();
  for (int k = 0; k < classes; ++k) {
    Solution& s = points[k];
    const Vec w = start.column("coefficients", k);
    s.w = Vec::Zero(p + frame.penalized);
    s.w.head(p) = w.cwiseProduct(frame.rows.scales());
    const double b = start.number("intercept", k);
    if (frame.penalized) s.w[p] = b;
    if (frame.free) s.b = b + frame.rows.offset(w) - frame.response;
    if (start.has("dual")) s.a = start.column("dual", k);
  }
  return points;
}

inline border::Answer answer(const Report& r, const Frame& frame, bool brief) {
  const Index p = frame.rows.columns();
  border::Answer out(r, r.solution.solver, brief);
  const Vec w = r.solution.w.head(p).cwiseQuotient(frame.rows.scales());
  out.add("intercept",
          frame.penalized ? r.solution.w[p] : r.solution.b - frame.rows.offset(w) + frame.response);
  out.add_coefficients(w);
  if (brief) return out;
  out.add("scores", Vec(r.scores.array() + frame.response));
  out.add("dual", r.solution.a);
  return out;
}

}  // namespace dualmargin::linear
