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

#include "algebra/cholesky.h"
#include "hard/hard_margin.h"

namespace dualmargin::hard {

// The rows that an active set looks at, and those of them that have a weight.

// Some rows of a margin problem with their Gram matrix, and their sides where the intercept is
// free.
class Candidates {
 public:
  explicit Candidates(const HardMargin& problem)
      : all(problem.rows), free_(problem.free_intercept) {}

  const MarginRows& all;

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index row(Index k) const { return rows_[k]; }
  double side(Index k) const { return side_[k]; }
  const Vec& sides() const { return side_; }

  void add(Index e, Tick& tick);

  // a_k'a_l, with the constant coordinate
  double product(Index k, Index l) const { return gram_(l, k) + side_[k] * side_[l]; }
  // a_k'a_l for all k, without it
  auto products(Index l) const { return gram_.col(l).head(size()); }

  // Values of the candidates as values of all rows.
  Vec spread(const Vec& v) const;

 private:
  bool free_;
  std::vector<Index> rows_;
  Mat gram_;
  Vec side_;
};

// An orthonormal basis Q that follows a growing Cholesky factor L: row r of what is factored is
// \sum_j L_{rj} Q_j.
class GrowingBasis {
 public:
  // `length`: of a vector. An empty basis of vectors without length stands for none.
  explicit GrowingBasis(Index length) : Q_(length, length > 0 ? 16 : 0) {}

  // v less its projection, whose coordinates are added up in `row`; twice, for orthogonality up to
  // rounding (L. Giraud, J. Langou and M. Rozloznik 2005, doi:10.1016/j.camwa.2005.08.009).
  void project(Vec& v, Vec& row) const;

  void append(const Vec& unit);

  // The rotations of Cholesky::remove(), then the last vector leaves.
  void turn(Index j, double c, double s);
  void remove_last() { --m_; }

 private:
  Mat Q_;
  Index m_ = 0;
};

// The candidates that have a weight: the Cholesky factor of their Gram matrix, with the constant
// coordinate, and their span.
class Support {
 public:
  explicit Support(const Candidates& candidates, bool free_intercept);

  Index size() const { return factor_.size(); }
  Index operator[](Index r) const { return order_[r]; }  // a candidate
  Index row(Index r) const { return candidates_.row(order_[r]); }
  double side(Index r) const { return candidates_.side(order_[r]); }

  // Of vectors with the constant coordinate, the last one: w += sum_r x_r a_r, and all a_r'w.
  void add(const Vec& x, Vec& w) const;
  Vec dots(const Vec& w) const;

  void remove(Index at);

  // `work` grows by that in passes over the data. True, and candidate k is the last, if it is not
  // in the span of the others; else a_k = sum_r x_r a_r.
  bool append(Index k, Vec& x, double& work);

  // x, y with K x + y s = right, which x is before, and s'x = total.
  void solve(Vec& x, double total, double& y) const;

 private:
  void add(Index k, double a, Vec& w) const;  // w += a a_k, of a candidate

  // The new row of the factor, and how far a_k is from the span; `rest`: the part outside of it,
  // where there is a basis.
  double project(Index k, Vec& row, Vec& rest, double& work) const;

  // What rounding leaves of a vector of length zero that is a sum of terms this long together. For
  // kernels it is the squared length that is rounded.
  double noise(double length) const;

  // |a_k - sum_r x_r a_r|, x improved first.
  double distance_to_span(Index k, Vec& x, double& work) const;

  const Candidates& candidates_;
  bool free_;
  std::vector<Index> order_;  // in the order of the factor
  Cholesky factor_;
  // Of few columns an orthonormal basis of the span: a Gram matrix has half of the digits, and rows
  // that depend on one another need them all.
  bool has_basis_;
  GrowingBasis basis_;
};

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
