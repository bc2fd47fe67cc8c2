// The maximum margin, the problem of the hard family:
//
//   \bar\gamma = \max_{|w| \le 1, b} \min_e (a_e^\top w + b\, s_e) = \min_q |A^\top q|,
//
// q in the simplex, s_e = +-1 the side of a row. Without an intercept b = 0; where it is free,
// \sum_e q_e s_e = 0, so that each side has half of the weight. Every w and every q bound it:
//
//   \min_e (a_e^\top w + b s_e) / |w| \le \bar\gamma \le |A^\top q|
//
// (Z. Ji, N. Srebro and M. Telgarsky 2021, Section 2; arXiv:2107.00595). Data that no w separates
// have a q with A'q = 0: the bound is then zero up to the rounding that is stated.
//
// Rounding, with u = 2^-53 and sums of k terms (base/rounding.h): of columns
//
//   |a_e'w| by k u |a_e| |w|,   |A'q| by k u \sum_e q_e |a_e|,
//
// of a kernel, where w = A'c is known by products of rows only,
//
//   a_e'w by k u |a_e| \sum_f |c_f| |a_f|,   |w|^2 by k u (\sum_f |c_f| |a_f|)^2,
//
// and by what a kernel of the user's may lack of being semidefinite, MarginRows::lack().
#pragma once

#include "algebra/function_space.h"
#include "base/square.h"
#include "hard/margin_rows.h"
#include "run/incumbent.h"

namespace dualmargin::hard {

// An end of the interval as computed, and how far rounding can have moved it.
struct End {
  double value, rounding;

  bool is_zero() const { return value <= rounding; }
};

// w = A'c; |w| is what it is, the margin that counts is that of w / |w|.
struct Primal {
  Vec w, c;
  double b = 0;
  End low{-HUGE_VAL, 0};
};
struct Dual {
  Vec q;
  End high{HUGE_VAL, 0};
};
struct Solution : Primal, Dual {
  bool separable = true;  // false: the method has met a q that it takes for a null combination
  bool finished = false;  // true: an exact method has come to its end
  const char* solver = "";

  Solution() = default;
  Solution(const Primal& primal, const Dual& dual, const char* solver_ = "")
      : Primal(primal), Dual(dual), solver(solver_) {}
  Solution(Vec w_, Vec c_, Vec q_) {
    w = std::move(w_);
    c = std::move(c_);
    q = std::move(q_);
  }
};

// The best w, or the last, and the best q of a run.
struct Best : Incumbent<Primal, Dual> {
  explicit Best(Iterate kept = Iterate::best) : Incumbent(kept, Sense::maximum) {}

  Solution solution(const char* solver) const { return Solution(primal(), dual(), solver); }
};

inline Index count_nonzero(const Vec& v) { return (v.array() != 0).count(); }
inline std::vector<Index> nonzeros(const Vec& v) {
  std::vector<Index> places;
  for (Index e = 0; e < v.size(); ++e) {
    if (v[e] != 0) places.push_back(e);
  }
  return places;
}

class HardMargin {
 public:
  HardMargin(const MarginRows& rows_, bool free_intercept_)
      : rows(rows_), free_intercept(free_intercept_) {}

  const MarginRows& rows;
  bool free_intercept;

  Index n() const { return rows.size(); }

  // The simplex's weights, or half of them for each side. False if all of one side are zero.
  bool normalise(Vec& q) const {
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

  // Weights to begin with: of the first row, and of the first on the other side.
  Vec one_of_each_side() const {
    Vec q = Vec::Unit(n(), 0);
    Index e = 0;
    while (e < n() && rows.side(e) == rows.side(0)) ++e;
    if (free_intercept && e < n()) q[e] = 1;
    return q;
  }

  // The best b for p = Aw, and the smallest p_e + b s_e.
  double smallest(const Vec& p, double& b) const {
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

  // |w|^2 of w = A'c. That of a kernel is c'Kc, and one that is negative beyond rounding shows, where
  // the user has given the kernel, that it is not semidefinite.
  Square squared_length(const Vec& w, const Vec& c) const {
    Square square{rows.squared_norm(w, c), 0};
    if (!rows.is_kernel()) return square;
    const double terms = c.cwiseAbs().dot(rows.lengths()), lack = rows.lack(c);
    square.rounding =
        terms * terms * (rows.rounding(count_nonzero(c)) + rounding::of_sum()) + lack * lack;
    if (rows.given() && square.computed < -square.rounding) negative_.tell(square.computed, c);
    return square;
  }
  const NegativeSquare& negative() const { return negative_; }

  // Lower end of the interval at (w, c) with p = Aw; sets b. A w whose length is zero, but for
  // rounding, is no direction.
  End margin(Primal& s, const Vec& p) const {
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
  End margin(Primal& s, Vec& p, Tick& tick) const {
    if (s.w.size() == 0) return {-HUGE_VAL, 0};
    rows.multiply(s.w, p, tick);
    return margin(s, p);
  }

  // Upper end at q, which is made feasible.
  End upper(Dual& s, Tick& tick) const {
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

  // Keeps what is better than the best so far, or the last w, and returns the interval of that, both
  // ends recomputed from w and q. s: a candidate; where its w or its q is empty, that end is left
  // alone. p: Aw, where it is known.
  Certificate offer(Best& best, Solution s, Tick& tick, Vec p = Vec()) const {
    s.low = p.size() > 0 ? margin(s, p) : margin(s, p, tick);
    if (s.low.value > -HUGE_VAL) best.offer_primal(s, s.low.value);
    s.high = upper(s, tick);
    if (s.high.value < HUGE_VAL) best.offer_dual(s, s.high.value + s.high.rounding);
    Certificate c = interval(best.primal().low, best.dual().high);
    c.iterate = best.iterate();
    return c;
  }

  // The same of w = A'c, which is made here, and so is p.
  Certificate offer(Best& best, const Vec& c, const Vec& q, Vec& p, Tick& tick) const {
    Vec w;
    rows.combine(c, w, tick);
    rows.multiply(w, p, tick);
    return offer(best, {std::move(w), c, q}, tick, p);
  }

  // The interval of the best pair; where w is scores that were carried along, of w = A'c.
  Certificate certify(const Best& best, Tick& tick) const {
    Solution s = best.solution("");
    if (rows.is_kernel() && s.c.size() > 0) rows.combine(s.c, s.w, tick);
    Vec p;
    s.low = margin(s, p, tick);
    return interval(s.low, upper(s, tick));
  }

  // What w = A'c, p = Aw and A'q cost where that many entries of c, and of q, are not zero.
  double certificate_price(std::size_t support) const {
    return rows.multiply_price() + 2 * static_cast<double>(support) * rows.row_price();
  }

  // Rounding belongs to the bound. Rows are no longer than 1, and so are margins: -1 is that of any
  // direction where there is none.
  Certificate interval(const End& low, const End& high) const {
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

 private:
  // The root of a sum of squares has half of its rounding.
  static double of_root() { return 0.5 * rounding::of_sum() + rounding::of(2); }

  mutable NegativeSquare negative_;
};

// A row of zeros leaves a margin of zero at best, and q on it alone shows it.
inline bool zero_row(const HardMargin& problem, Tick& tick, Solution& s) {
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

// exp(-p_e) / sum, with the terms below e^-40 of the largest left out.
inline void soft_minimum(const Vec& p, Vec& q) {
  const double low = p.minCoeff();
  q = p.unaryExpr([low](double v) { return v - low > 40 ? 0.0 : std::exp(low - v); });
  q /= q.sum();
}

}  // namespace dualmargin::hard
