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
#include "run/outcome.h"
#include "run/run.h"

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
  Solution(Vec w_, Vec c_, Vec q_);
};

// The best w, or the last, and the best q of a run.
struct Best : Incumbent<Primal, Dual> {
  explicit Best(Iterate kept = Iterate::best) : Incumbent(kept, Sense::maximum) {}

  Solution solution(const char* solver) const { return Solution(primal(), dual(), solver); }
};

inline Index count_nonzero(const Vec& v) { return (v.array() != 0).count(); }
std::vector<Index> nonzeros(const Vec& v);

class HardMargin {
 public:
  HardMargin(const MarginRows& rows_, bool free_intercept_)
      : rows(rows_), free_intercept(free_intercept_) {}

  const MarginRows& rows;
  bool free_intercept;

  Index n() const { return rows.size(); }

  // The simplex's weights, or half of them for each side. False if all of one side are zero.
  bool normalise(Vec& q) const;

  // Weights to begin with: of the first row, and of the first on the other side.
  Vec one_of_each_side() const;

  // The best b for p = Aw, and the smallest p_e + b s_e.
  double smallest(const Vec& p, double& b) const;

  // |w|^2 of w = A'c. That of a kernel is c'Kc, and one that is negative beyond rounding shows, where
  // the user has given the kernel, that it is not semidefinite.
  Square squared_length(const Vec& w, const Vec& c) const;
  const NegativeSquare& negative() const { return negative_; }

  // Lower end of the interval at (w, c) with p = Aw; sets b. A w whose length is zero, but for
  // rounding, is no direction.
  End margin(Primal& s, const Vec& p) const;
  End margin(Primal& s, Vec& p, Tick& tick) const;

  // Upper end at q, which is made feasible.
  End upper(Dual& s, Tick& tick) const;

  // Keeps what is better than the best so far, or the last w, and returns the interval of that, both
  // ends recomputed from w and q. s: a candidate; where its w or its q is empty, that end is left
  // alone. p: Aw, where it is known.
  Certificate offer(Best& best, Solution s, Tick& tick, Vec p = Vec()) const;

  // The same of w = A'c, which is made here, and so is p.
  Certificate offer(Best& best, const Vec& c, const Vec& q, Vec& p, Tick& tick) const;

  // The interval of the best pair; where w is scores that were carried along, of w = A'c.
  Certificate certify(const Best& best, Tick& tick) const;

  // What w = A'c, p = Aw and A'q cost where that many entries of c, and of q, are not zero.
  double certificate_price(std::size_t support) const;

  // Rounding belongs to the bound. Rows are no longer than 1, and so are margins: -1 is that of any
  // direction where there is none.
  Certificate interval(const End& low, const End& high) const;

 private:
  // The root of a sum of squares has half of its rounding.
  static double of_root() { return 0.5 * rounding::of_sum() + rounding::of(2); }

  mutable NegativeSquare negative_;
};

// A row of zeros leaves a margin of zero at best, and q on it alone shows it.
bool zero_row(const HardMargin& problem, Tick& tick, Solution& s);

// exp(-p_e) / sum, with the terms below e^-40 of the largest left out.
void soft_minimum(const Vec& p, Vec& q);

// What leaves the hard family: a direction of length one, or for k classes of length 1 / sqrt(2),
// so that scores and their differences are in the unit of the margin, and the interval, both on the
// user's scale.

// Is there a direction of positive margin? Yes: the returned one's is positive whatever rounding
// did. No: the returned q has A'q = 0 within the rounding of that sum.
enum class Separable { yes, no, undecided };

struct Report : Outcome {
  Solution solution;
  Mat scores;  // of all examples, without the intercept; a column for each class
  Separable separable = Separable::undecided;
  NegativeSquare negative;
  double residual = 0;  // |A'q| where the rows are not separable
};

// `problem` is that of the exact rows, whatever the solver worked on. What it carried along is
// recomputed from c; w is, for a kernel.
Report report(const HardMargin& problem, Solution s, Run& run);

}  // namespace dualmargin::hard
