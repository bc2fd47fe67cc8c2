// Solutions of the linear family across the border: a start comes in, a report goes out.
#pragma once

#include <vector>

#include "border/dispatch_loss.h"
#include "border/frame.h"
#include "linear/problem.h"

namespace dualmargin::linear {

inline std::vector<Solution> starting_points(const border::WarmStart& start, int classes,
                                             const border::Frame& frame, Index n) {
  std::vector<Solution> points(classes);
  if (!start.has("coefficients")) return points;
  for (int k = 0; k < classes; ++k) {
    if (!start.has("coefficients", k)) continue;
    frame.enter(start, k, points[k].w, points[k].b);
    if (start.has("dual", k)) points[k].a = RowVec(start.column("dual", k, n));
  }
  return points;
}

inline border::Answer answer(const Report& r, const border::Frame& frame, bool brief) {
  border::Answer out(r, r.solution.solver, brief);
  frame.leave(r.solution.w, r.solution.b, out);
  if (r.residual_scale >= 0) {
    out.add("residual_scale", r.residual_scale);
    out.add("rounds", static_cast<double>(r.rounds));
  }
  if (brief) return out;
  out.add("scores", RowVec(r.scores + frame.level));
  out.add("dual", r.solution.a);
  return out;
}

}  // namespace dualmargin::linear
