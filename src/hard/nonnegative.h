// Non-negative least squares by active sets, on the Gram matrix of some rows:
//
//   min_a  1/2 |A'a|^2 - 1'a,   a >= 0   (and s'a = 0 where the intercept is free)
//
// C. L. Lawson and R. J. Hanson (1974), Solving Least Squares Problems, Chapter 23, with the
// Cholesky factor of the Gram matrix of the rows that are not zero updated row by row. A row that
// depends on those enters along the null vector until another leaves; if none does, a multiple of
// it lies in the opposite of their cone: no direction separates the rows.
//
// With s the matrix factored is that of the rows with a constant coordinate, K + s s', which is the
// same where s'a = 0 and has an inverse where the rows with their sides are independent; b is the
// multiplier of s'a = 0.
//
// A Gram matrix has half of the digits of its rows. Where they matter, how far a row is from the
// span of others and the last digits of the weights, they are computed from the rows themselves.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hard/support.h"

namespace dualmargin::hard {

class NonNegativeSolver {
 public:
  NonNegativeSolver(const HardMargin& problem, Tick& tick);

  Index support() const { return support_.size(); }
  double intercept() const { return b_; }
  // In passes over the data, since it was last asked for.
  double take_work() { return std::exchange(work_, 0.0); }
  bool separable() const { return null_.size() == 0; }
  // Of all rows: the weights, and q >= 0 with A'q = 0 where there is one.
  Vec weights() const { return candidates_.spread(weight_); }
  Vec null_combination() const { return candidates_.spread(null_); }

  // A candidate, and a weight to begin with. Where the intercept is free the weights of the two
  // sides must have the same sum.
  void add(Index e, double weight = 0);

  // Until no candidate's margin is below 1 by more than rounding can explain.
  void solve();

 private:
  static constexpr double rounding = rounding::of(2);
  static constexpr Index several = 10;

  Vec weights_of_support() const;
  void set_weights(const Vec& of_support);

  std::vector<Index> most_violated(Index count) const;

  // The rows that have a weight. With a free intercept no weight can be positive alone: one of each
  // side begins.
  bool begin();

  void drop(Index at);

  // False when a null combination was found.
  bool enter(Index k);

  // Towards the solution on the passive rows, as far as no weight is negative; those that become
  // zero leave.
  void move_to_solution();

  // Margins of 1 on the support, to the last digits.
  void refine();

  Candidates candidates_;
  const MarginRows& rows_;
  Tick& tick_;
  bool free_;
  Support support_;
  std::vector<bool> passive_, blocked_;  // of the candidates
  Vec weight_, null_;
  double b_ = 0, work_ = 0;
};

}  // namespace dualmargin::hard
