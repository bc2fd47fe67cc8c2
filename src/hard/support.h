// The rows that an active set looks at, and those of them that have a weight.
#pragma once

#include <vector>

#include "algebra/cholesky.h"
#include "hard/hard_margin.h"

namespace dualmargin::hard {

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

}  // namespace dualmargin::hard
