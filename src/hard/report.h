// What leaves the hard wing: a direction of length one, or for k classes of length 1 / sqrt(2), so
// that scores and their differences are in the unit of the margin, and the interval, both on the
// user's scale.
#pragma once

#include "core/outcome.h"
#include "hard/hard_margin.h"

namespace dualmargin {

struct HardReport : Outcome {
  HardSolution solution;
  double residual = 0;  // |A'q| where the rows are not separable
};

inline HardReport report(const HardMargin& problem, HardSolution s, Monitor& monitor) {
  HardReport r;
  const MarginRows& rows = problem.rows;
  const double R = rows.largest_norm();
  Certificate c = problem.certify(s, monitor);
  c.value *= R;
  c.bound *= R;
  c.gap = c.bound - c.value;
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), 1e-15, monitor);
  r.null_value = R;
  for (TraceRow& row : r.trace) {
    row.value *= R;
    row.bound *= R;
    row.gap *= R;
  }
  if (!s.separable) {
    r.residual = c.bound;
    r.status = Status::not_separable;
  }
  const double length = std::sqrt(std::max(0.0, rows.squared_norm(s.w, s.c)));
  if (length > 0) {
    s.w /= length;
    s.c /= length;
    s.b *= R / length;
  }
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin
