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

// The relative gap that rounding permits. For a kernel |A'q|^2 = q'Kq is a sum of terms that are 1
// or less, each rounded.
inline double rounding_floor(const MarginRows& rows, double bound) {
  constexpr double least = 1e-15, rounding = 2.2e-16;
  if (!rows.is_kernel() || !(bound > 0)) return least;
  return std::max(least, rounding / (bound * bound));
}

// `problem` is that of the exact rows, whatever the solver worked on. What it carried along is
// recomputed from c; w is, for a kernel.
inline HardReport report(const HardMargin& problem, HardSolution s, Monitor& monitor) {
  HardReport r;
  const MarginRows& rows = problem.rows;
  const double R = rows.largest_norm();
  if (s.w.size() == 0) {  // no step was taken
    s.c = Vec::Zero(problem.n());
    s.w = Vec::Zero(rows.dim());
  } else if (rows.is_kernel()) {
    rows.combine(s.c, s.w, monitor);
  }
  if (s.q.size() == 0) s.q = Vec::Ones(problem.n());
  Certificate c = problem.certify(s, monitor);
  const double floor = rounding_floor(rows, c.bound);
  c.value *= R;
  c.bound *= R;
  c.gap = c.bound - c.value;
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), floor, monitor);
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
