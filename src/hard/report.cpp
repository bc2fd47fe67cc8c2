#include "hard/report.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::hard {
namespace {

// How far rows of a kernel are from the first of them: what a free margin can be as large as, while
// lengths, which rounding is a share of, may be much larger.
double spread(const HardMargin& problem, Tick& tick) {
  const MarginRows& rows = problem.rows;
  Vec products;
  rows.products(0, products, tick);
  double largest = 0;
  for (Index e = 0; e < problem.n(); ++e) {
    const double both = rows.squared_norm(0) + rows.squared_norm(e);
    largest = std::max(largest, both - 2 * products[e]);
  }
  return std::sqrt(largest);
}

// Is A'q = 0, within a rounding that leaves something to be said of the rows?
bool proves_none(const HardMargin& problem, const End& high, Tick& tick) {
  if (!high.is_zero()) return false;
  if (!problem.rows.is_kernel() || !problem.free_intercept) return true;
  constexpr double share = 1e-6;  // on rows about the origin it is some 1e-8
  return high.rounding <= share * spread(problem, tick);
}

// Weights where the method left none: of a kernel, whose rows may be far from cheap, on one row of
// each side; coefficients of both that sum to zero are those of the moved rows as well.
Vec any_weights(const HardMargin& problem) {
  return problem.rows.is_kernel() ? problem.one_of_each_side() : Vec::Ones(problem.n());
}

// A direction where the method left none: that of these weights, or a row that is not zero; where
// the intercept is free, of the difference of two rows, since what all rows share is no direction.
void any_direction(const HardMargin& problem, Solution& s, Tick& tick) {
  const MarginRows& rows = problem.rows;
  Vec p;
  const auto is_one = [&](const Vec& c) {
    s.c = c;
    rows.combine(c, s.w, tick);
    return problem.margin(s, p, tick).value > -HUGE_VAL;
  };
  if (is_one(any_weights(problem))) return;
  Index longest = 0;
  for (Index e = 1; e < problem.n(); ++e) {
    if (rows.squared_norm(e) > rows.squared_norm(longest)) longest = e;
  }
  if (!problem.free_intercept && is_one(Vec::Unit(problem.n(), longest))) return;
  for (Index e = 0; e < problem.n() && problem.free_intercept; ++e) {
    if (rows.side(e) == rows.side(longest)) continue;
    if (is_one(Vec::Unit(problem.n(), longest) + Vec::Unit(problem.n(), e))) return;
  }
  s.w.setZero();
  s.c.setZero();
}

}  // namespace

Report report(const HardMargin& problem, Solution s, Run& run) {
  Report r;
  const MarginRows& rows = problem.rows;
  const double R = rows.largest_norm();
  if (s.w.size() == 0) {
    any_direction(problem, s, run);
  } else if (rows.is_kernel()) {
    rows.combine(s.c, s.w, run);
  }
  if (s.q.size() == 0) s.q = any_weights(problem);
  Vec p;
  const End low = problem.margin(s, p, run), high = problem.upper(s, run);
  Certificate c = problem.interval(low, high);
  c.value *= R;
  c.bound *= R;
  c.rounding *= R;
  c.gap = c.bound - c.value;
  constexpr double least = 1e-15;
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite() && s.q.allFinite(), least, run);
  r.null_value = 0;
  for (TraceRow& row : r.trace) {
    row.value *= R;
    row.bound *= R;
    row.gap *= R;
  }
  if (low.value > low.rounding) {
    r.separable = Separable::yes;
  } else if (r.status != Status::not_finite) {
    // what is not proved to have a margin is not certified to have one of that size
    if (r.status == Status::certified) r.status = Status::rounding_floor;
    if (proves_none(problem, high, run)) {
      r.separable = Separable::no;
      r.residual = R * high.value;
      r.status = Status::not_separable;
    }
    if (low.value == -HUGE_VAL) {
      r.certificate.value = -HUGE_VAL;
      r.certificate.gap = HUGE_VAL;
    }
  }
  const double length = problem.squared_length(s.w, s.c).root();
  r.negative = problem.negative();
  if (length > 0) {
    s.w /= length;
    s.c /= length;
    s.b *= R / length;
  }
  r.scores = rows.scores(s.w, run);
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin::hard
