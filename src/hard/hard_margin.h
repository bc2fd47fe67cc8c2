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
#pragma once

#include "core/solution.h"
#include "hard/margin_rows.h"

namespace dualmargin {

// w = A'c; |w| is what it is, the margin that counts is that of w / |w|.
struct HardSolution {
  Vec w, c, q;
  double b = 0;
  bool separable = true;
  bool finished = true;  // false: the method gave up before the run was over
  const char* solver = "";
};

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

  // Lower end of the interval at (w, c) with p = Aw; sets b. A w of length zero has margin zero.
  double margin(HardSolution& s, const Vec& p) const {
    const double length = std::sqrt(std::max(0.0, rows.squared_norm(s.w, s.c)));
    const double low = smallest(p, s.b);
    return length > 0 ? low / length : 0.0;
  }
  double margin(HardSolution& s, Vec& p, Monitor& monitor) const {
    rows.multiply(s.w, p, monitor);
    return margin(s, p);
  }

  // Upper end at q, which is made feasible.
  double upper(HardSolution& s, Monitor& monitor) const {
    if (s.q.size() == 0 || !normalise(s.q)) return HUGE_VAL;
    Vec v;
    rows.combine(s.q, v, monitor);
    return std::sqrt(std::max(0.0, rows.squared_norm(v, s.q)));
  }

  // Both ends, from the definitions.
  Certificate certify(HardSolution& s, Monitor& monitor) const {
    Vec p;
    return interval(margin(s, p, monitor), upper(s, monitor));
  }

  // What w = A'c, p = Aw and A'q cost where that many entries of c, and of q, are not zero.
  double certificate_price(Index support) const {
    return rows.multiply_price() + 2 * static_cast<double>(support) * rows.row_price();
  }

  static Certificate interval(double low, double high) {
    Certificate c;
    c.value = low;
    c.bound = high;
    c.gap = high - low;
    c.maximum = true;
    return c;
  }
};

// The best w and the best q seen so far, which need not come from the same iterate.
class BestInterval {
 public:
  BestInterval(const HardMargin& problem, Monitor& monitor)
      : problem_(problem), monitor_(monitor) {}

  // s: a candidate in its w, c and q, each of which may be empty; p: Aw, where it is known.
  Certificate offer(HardSolution s) {
    Vec p;
    if (s.w.size() > 0) problem_.rows.multiply(s.w, p, monitor_);
    return offer(std::move(s), p);
  }
  Certificate offer(HardSolution s, const Vec& p) {
    if (s.w.size() > 0) {
      const double low = problem_.margin(s, p);
      const bool null = s.w.isZero(0);
      // a direction, however bad, rather than none
      if (best.w.size() == 0 || (null_ && !null) || (low > low_ && null_ == null)) {
        low_ = low;
        null_ = null;
        best.w = std::move(s.w);
        best.c = std::move(s.c);
        best.b = s.b;
      }
    }
    if (s.q.size() > 0) {
      const double high = problem_.upper(s, monitor_);
      if (high < high_) {
        high_ = high;
        best.q = std::move(s.q);
      }
    }
    return HardMargin::interval(low_, high_);
  }

  HardSolution best;

 private:
  const HardMargin& problem_;
  Monitor& monitor_;
  double low_ = -HUGE_VAL, high_ = HUGE_VAL;
  bool null_ = false;
};

inline Index count_nonzero(const Vec& v) { return (v.array() != 0).count(); }

// A row of zeros leaves a margin of zero at best, and q on it alone shows it.
inline bool zero_row(const HardMargin& problem, Monitor& monitor, HardSolution& s) {
  if (problem.free_intercept) return false;
  Index e = 0;
  while (e < problem.n() && problem.rows.squared_norm(e) > 0) ++e;
  if (e == problem.n()) return false;
  s.separable = false;
  s.q = Vec::Unit(problem.n(), e);
  s.c = Vec::Constant(problem.n(), 1 / static_cast<double>(problem.n()));
  problem.rows.combine(s.c, s.w, monitor);
  return true;
}

// exp(-p_e) / sum, with the terms below e^-40 of the largest left out.
inline void soft_minimum(const Vec& p, Vec& q) {
  const double low = p.minCoeff();
  q = p.unaryExpr([low](double v) { return v - low > 40 ? 0.0 : std::exp(low - v); });
  q /= q.sum();
}

}  // namespace dualmargin
