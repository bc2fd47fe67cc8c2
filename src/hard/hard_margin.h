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
// Rounding, with u = 2^-53 and sums of k terms (N. J. Higham 2002, Accuracy and Stability of
// Numerical Algorithms, Section 3.1): of columns
//
//   |a_e'w| by k u |a_e| |w|,   |A'q| by (2 k u) \sum_e q_e |a_e|,
//
// of a kernel, where w = A'c is known by products of rows only,
//
//   a_e'w by k u |a_e| \sum_f |c_f| |a_f|,   |w|^2 by k u (\sum_f |c_f| |a_f|)^2.
#pragma once

#include "hard/margin_rows.h"
#include "run/certificate.h"

namespace dualmargin::hard {

// w = A'c; |w| is what it is, the margin that counts is that of w / |w|.
struct HardSolution {
  Vec w, c, q;
  double b = 0;
  bool separable = true;  // false: the method has met a q that it takes for a null combination
  bool finished = true;   // false: the method gave up before the run was over
  const char* solver = "";
};

inline Index count_nonzero(const Vec& v) { return (v.array() != 0).count(); }

// An end of the interval as computed, and how far rounding can have moved it.
struct End {
  double value, rounding;

  bool is_zero() const { return value <= rounding; }
};

class HardMargin {
 public:
  HardMargin(const MarginRows& rows_, bool free_intercept_)
      : rows(rows_), free_intercept(free_intercept_), lengths_(rows_.size()) {
    for (Index e = 0; e < n(); ++e) lengths_[e] = std::sqrt(rows.squared_norm(e));
  }

  const MarginRows& rows;
  bool free_intercept;

  Index n() const { return rows.size(); }

  // The simplex's weights, or half of them for each side. False if all of one side are zero.
  bool normalise(Vec& q) const {
    q = q.cwiseMax(0);
    if (!free_intercept) {
      const double total = q.sum();
      if (!(total > 0)) return false;
      q /= total;
      return true;
    }
    double plus = 0, minus = 0;
    for (Index e = 0; e < n(); ++e) (rows.side(e) > 0 ? plus : minus) += q[e];
    if (!(plus > 0 && minus > 0)) return false;
    for (Index e = 0; e < n(); ++e) q[e] *= 0.5 / (rows.side(e) > 0 ? plus : minus);
    return true;
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

  // Lower end of the interval at (w, c) with p = Aw; sets b. A w whose length is zero, but for
  // rounding, is no direction.
  End margin(HardSolution& s, const Vec& p) const {
    const double square = rows.squared_norm(s.w, s.c);
    double of_scores = unit_rounding * (0.5 * units_of_sum(rows.dim()) + 2), of_square = 0;
    if (rows.is_kernel()) {
      const double terms = s.c.cwiseAbs().dot(lengths_);
      of_scores = terms * rows.rounding(count_nonzero(s.c));
      of_square = terms * of_scores;
    } else {
      of_square = of_scores * square;
      of_scores = std::sqrt(square) * rows.rounding(0);
    }
    constexpr double least = 1e-280;  // squares below have lost their digits
    if (!(square > least && square > 2 * of_square && square < HUGE_VAL)) return {-HUGE_VAL, 0};
    const double length = std::sqrt(square);
    const double surely = smallest(p - of_scores * lengths_, s.b), low = smallest(p, s.b);
    return {low / length, (low - surely + std::abs(low) * of_square / square) / length};
  }
  End margin(HardSolution& s, Vec& p, Run& run) const {
    if (s.w.size() == 0) return {-HUGE_VAL, 0};
    rows.multiply(s.w, p, run);
    return margin(s, p);
  }

  // Upper end at q, which is made feasible.
  End upper(HardSolution& s, Run& run) const {
    if (s.q.size() == 0 || !normalise(s.q)) return {HUGE_VAL, 0};
    Vec v;
    rows.combine(s.q, v, run);
    const double square = std::max(0.0, rows.squared_norm(v, s.q)), value = std::sqrt(square);
    const double terms = s.q.dot(lengths_);
    const Index count = count_nonzero(s.q);
    const double of_sum = unit_rounding * (units_of_sum(count) + 2);  // of q, and of A'q
    if (rows.is_kernel()) {
      const double of_square = terms * terms * (rows.rounding(count) + of_sum);
      return {value, std::sqrt(square + of_square) - value + of_sum * value};
    }
    const double of_root = unit_rounding * (0.5 * units_of_sum(rows.dim()) + 2);
    return {value, 2 * of_sum * terms + of_root * value};
  }

  // Both ends, from the definitions.
  Certificate certify(HardSolution& s, Run& run) const {
    Vec p;
    const End low = margin(s, p, run);
    return interval(low, upper(s, run));
  }

  // What w = A'c, p = Aw and A'q cost where that many entries of c, and of q, are not zero.
  double certificate_price(Index support) const {
    return rows.multiply_price() + 2 * static_cast<double>(support) * rows.row_price();
  }

  // Rounding belongs to the bound. Rows are no longer than 1, and so are margins.
  static Certificate interval(const End& low, const End& high) {
    Certificate c;
    c.maximum = true;
    c.rounding = low.rounding + high.rounding;
    c.value = std::max(low.value, -1.0);
    c.bound = std::min(high.value, 1.0) + c.rounding;
    c.gap = c.bound - c.value;
    return c;
  }
  // Before there is a w or a q.
  static Certificate interval() { return interval({-1, 0}, {1, 0}); }

 private:
  Vec lengths_;  // |a_e|
};

// The best w and the best q seen so far, which need not come from the same iterate.
class BestInterval {
 public:
  BestInterval(const HardMargin& problem, Run& run) : problem_(problem), run_(run) {}

  // s: a candidate in its w, c and q, each of which may be empty; p: Aw, where it is known.
  Certificate offer(HardSolution s) {
    Vec p;
    if (s.w.size() > 0) problem_.rows.multiply(s.w, p, run_);
    return offer(std::move(s), p);
  }
  Certificate offer(HardSolution s, const Vec& p) {
    if (s.w.size() > 0) {
      const End low = problem_.margin(s, p);
      if (low.value > low_.value) {
        low_ = low;
        best.w = std::move(s.w);
        best.c = std::move(s.c);
        best.b = s.b;
      }
    }
    if (s.q.size() > 0) {
      const End high = problem_.upper(s, run_);
      if (high.value + high.rounding < high_.value + high_.rounding) {
        high_ = high;
        best.q = std::move(s.q);
      }
    }
    return HardMargin::interval(low_, high_);
  }

  HardSolution best;

 private:
  const HardMargin& problem_;
  Run& run_;
  End low_{-HUGE_VAL, 0}, high_{HUGE_VAL, 0};
};

// A row of zeros leaves a margin of zero at best, and q on it alone shows it.
inline bool zero_row(const HardMargin& problem, Run& run, HardSolution& s) {
  if (problem.free_intercept) return false;
  Index e = 0;
  while (e < problem.n() && problem.rows.squared_norm(e) > 0) ++e;
  if (e == problem.n()) return false;
  s.separable = false;
  s.q = Vec::Unit(problem.n(), e);
  s.c = Vec::Constant(problem.n(), 1 / static_cast<double>(problem.n()));
  problem.rows.combine(s.c, s.w, run);
  return true;
}

// exp(-p_e) / sum, with the terms below e^-40 of the largest left out.
inline void soft_minimum(const Vec& p, Vec& q) {
  const double low = p.minCoeff();
  q = p.unaryExpr([low](double v) { return v - low > 40 ? 0.0 : std::exp(low - v); });
  q /= q.sum();
}

}  // namespace dualmargin::hard
