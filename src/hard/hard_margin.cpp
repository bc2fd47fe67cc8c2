#include "hard/hard_margin.h"

#include <algorithm>
#include <cmath>

namespace dualmargin::hard {

Solution::Solution(Vec w_, Vec c_, Vec q_) {
  w = std::move(w_);
  c = std::move(c_);
  q = std::move(q_);
}

std::vector<Index> nonzeros(const Vec& v) {
  std::vector<Index> places;
  for (Index e = 0; e < v.size(); ++e) {
    if (v[e] != 0) places.push_back(e);
  }
  return places;
}

bool HardMargin::normalise(Vec& q) const {
  q = q.cwiseMax(0);
  if (!free_intercept) {
    const double total = sum_over(n(), [&](Index e) { return q[e]; });
    if (!(total > 0)) return false;
    q /= total;
    return true;
  }
  const double plus = sum_over(n(), [&](Index e) { return rows.side(e) > 0 ? q[e] : 0.0; }),
               minus = sum_over(n(), [&](Index e) { return rows.side(e) > 0 ? 0.0 : q[e]; });
  if (!(plus > 0 && minus > 0)) return false;
  for (Index e = 0; e < n(); ++e) q[e] *= 0.5 / (rows.side(e) > 0 ? plus : minus);
  return true;
}

Vec HardMargin::one_of_each_side() const {
  Vec q = Vec::Unit(n(), 0);
  Index e = 0;
  while (e < n() && rows.side(e) == rows.side(0)) ++e;
  if (free_intercept && e < n()) q[e] = 1;
  return q;
}

double HardMargin::smallest(const Vec& p, double& b) const {
  b = 0;
  if (!free_intercept) return p.size() > 0 ? p.minCoeff() : 0.0;
  double plus = HUGE_VAL, minus = HUGE_VAL;
  for (Index e = 0; e < n(); ++e) {
    double& low = rows.side(e) > 0 ? plus : minus;
    low = std::min(low, p[e]);
  }
  b = 0.5 * (minus - plus);
  return 0.5 * (plus + minus);
}

Square HardMargin::squared_length(const Vec& w, const Vec& c) const {
  Square square{rows.squared_norm(w, c), 0};
  if (!rows.is_kernel()) return square;
  const double terms = c.cwiseAbs().dot(rows.lengths()), lack = rows.lack(c);
  square.rounding =
      terms * terms * (rows.rounding(count_nonzero(c)) + rounding::of_sum()) + lack * lack;
  if (rows.given() && square.computed < -square.rounding) negative_.tell(square.computed, c);
  return square;
}

End HardMargin::margin(Primal& s, const Vec& p) const {
  const double square = squared_length(s.w, s.c).computed;
  double of_scores = 0, of_square = 0;
  if (rows.is_kernel()) {
    const double terms = s.c.cwiseAbs().dot(rows.lengths());
    const double lack = rows.lack(s.c);
    of_scores = terms * rows.rounding(count_nonzero(s.c));
    of_square = terms * (of_scores + rounding::of_sum() * terms) + lack * lack;
    of_scores += rows.of_scores(lack);
  } else {
    of_square = of_root() * square;
    of_scores = std::sqrt(square) * rows.rounding(0);
  }
  constexpr double least = 1e-280;  // squares below have lost their digits
  if (!(square > least && square > 2 * of_square && square < HUGE_VAL)) return {-HUGE_VAL, 0};
  const double length = std::sqrt(square);
  const double surely = smallest(p - of_scores * rows.lengths(), s.b), low = smallest(p, s.b);
  return {low / length, (low - surely + std::abs(low) * of_square / square) / length};
}

End HardMargin::margin(Primal& s, Vec& p, Tick& tick) const {
  if (s.w.size() == 0) return {-HUGE_VAL, 0};
  rows.multiply(s.w, p, tick);
  return margin(s, p);
}

End HardMargin::upper(Dual& s, Tick& tick) const {
  if (s.q.size() == 0 || !normalise(s.q)) return {HUGE_VAL, 0};
  Vec v;
  rows.combine(s.q, v, tick);
  const Square length = squared_length(v, s.q);
  if (!length.possible()) return {HUGE_VAL, 0};
  const double square = length.value(), value = length.root();
  const double terms = s.q.dot(rows.lengths());
  const Index count = count_nonzero(s.q);
  // of the total that q is divided by, and of A'q
  const double of_sum = rounding::of_sum() + rows.of_sum(count);
  if (rows.is_kernel()) {
    const double of_square = length.rounding + terms * terms * of_sum;
    return {value, std::sqrt(square + of_square) - value + of_sum * value};
  }
  return {value, of_sum * terms + of_root() * value};
}

Certificate HardMargin::offer(Best& best, Solution s, Tick& tick, Vec p) const {
  s.low = p.size() > 0 ? margin(s, p) : margin(s, p, tick);
  if (s.low.value > -HUGE_VAL) best.offer_primal(s, s.low.value);
  s.high = upper(s, tick);
  if (s.high.value < HUGE_VAL) best.offer_dual(s, s.high.value + s.high.rounding);
  Certificate c = interval(best.primal().low, best.dual().high);
  c.iterate = best.iterate();
  return c;
}

Certificate HardMargin::offer(Best& best, const Vec& c, const Vec& q, Vec& p, Tick& tick) const {
  Vec w;
  rows.combine(c, w, tick);
  rows.multiply(w, p, tick);
  return offer(best, {std::move(w), c, q}, tick, p);
}

Certificate HardMargin::certify(const Best& best, Tick& tick) const {
  Solution s = best.solution("");
  if (rows.is_kernel() && s.c.size() > 0) rows.combine(s.c, s.w, tick);
  Vec p;
  s.low = margin(s, p, tick);
  return interval(s.low, upper(s, tick));
}

double HardMargin::certificate_price(std::size_t support) const {
  return rows.multiply_price() + 2 * static_cast<double>(support) * rows.row_price();
}

Certificate HardMargin::interval(const End& low, const End& high) const {
  Certificate c;
  c.maximum = true;
  if (negative_) {
    c.value = c.gap = std::nan("");  // it ends the run
    return c;
  }
  c.rounding = low.rounding + high.rounding;
  c.value = low.value > -HUGE_VAL ? low.value : -1.0;
  c.bound = std::min(high.value, 1.0) + c.rounding;
  c.gap = c.bound - c.value;
  return c;
}

bool zero_row(const HardMargin& problem, Tick& tick, Solution& s) {
  if (problem.free_intercept) return false;
  Index e = 0;
  while (e < problem.n() && problem.rows.squared_norm(e) > 0) ++e;
  if (e == problem.n()) return false;
  s.separable = false;
  s.q = Vec::Unit(problem.n(), e);
  s.c = Vec::Constant(problem.n(), 1 / static_cast<double>(problem.n()));
  problem.rows.combine(s.c, s.w, tick);
  return true;
}

void soft_minimum(const Vec& p, Vec& q) {
  const double low = p.minCoeff();
  q = p.unaryExpr([low](double v) { return v - low > 40 ? 0.0 : std::exp(low - v); });
  q /= q.sum();
}

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

// Is A'q = 0, within a rounding that leaves something to be said of the rows? Of columns each entry is,
// by its own terms: columns of another size hide none.
bool proves_none(const HardMargin& problem, const End& high, const Vec& q, Tick& tick) {
  if (!high.is_zero()) return false;
  const MarginRows& rows = problem.rows;
  if (!rows.is_kernel()) {
    Vec v;
    rows.combine(q, v, tick);
    const double share = rounding::of_sum() + rows.of_sum(count_nonzero(q));
    return (v.array().abs() <= share * rows.sizes(q).array()).all();
  }
  if (!problem.free_intercept) return true;
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
    // a direction that may separate the rows is not refuted
    if (!(low.value > 0) && proves_none(problem, high, s.q, run)) {
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
