// The rows of a maximum-margin problem: a_e, of which a direction w is to make the smallest a_e'w
// as large as it can. binary_rows.h and multiclass_rows.h make them of examples x_i.
//
// A vector w lives where the data type's primal vectors live, a block for each class: for kernels
// it is the scores of the examples, and its norm needs the coefficients c of w = A'c.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/tick.h"
#include "rows/gram.h"

namespace dualmargin::hard {

class MarginRows {
 public:
  virtual ~MarginRows() = default;

  virtual Index size() const = 0;
  virtual Index dim() const = 0;
  virtual double largest_norm() const = 0;  // R
  // Is w a vector of scores, of which dot() reads one or two, while add() costs a row of a kernel?
  virtual bool is_kernel() const = 0;
  // p = A w
  virtual void multiply(const Vec& w, Vec& p, Tick& tick) const = 0;
  // w = A'c; rows whose c is zero cost nothing
  virtual void combine(const Vec& c, Vec& w, Tick& tick) const = 0;
  // The coefficients of all x_i in w = A'c, a column for each block of w.
  virtual Mat coefficients(const Vec& c) const = 0;
  // |w|^2 for w = A'c
  virtual double squared_norm(const Vec& w, const Vec& c) const = 0;
  virtual double dot(Index e, const Vec& w) const = 0;
  virtual void add(Index e, double s, Vec& w) const = 0;  // w += s a_e
  virtual double squared_norm(Index e) const = 0;
  // How far rounding can move a_e'w, a share of the lengths of its terms: of columns of |a_e| |w|,
  // of a kernel of |a_e| \sum_f |c_f| |a_f| with that many c_f that are not zero.
  virtual double rounding(Index count) const = 0;
  // out_k = a_e'a_{rows[k]}
  virtual void gram(Index e, const std::vector<Index>& rows, Vec& out) const = 0;
  // +1 and -1 for two classes: what a free intercept tells apart.
  virtual double side(Index e) const = 0;

  // Columns A a_e. Those of the rows of one example are made of the same products x_i'x_l / R^2.
  virtual Index examples() const = 0;
  virtual Index example(Index e) const = 0;
  virtual void products(Index i, Vec& out, Tick& tick) const = 0;
  virtual void column(Index e, const Vec& products, Vec& out) const = 0;

  // Work in passes over the data: of A w, of one row, of a column.
  double multiply_price() const { return is_kernel() ? 0.0 : 1.0; }
  double row_price() const {
    return 1 / static_cast<double>(std::max<Index>(is_kernel() ? examples() : size(), 1));
  }
  double column_price() const { return is_kernel() ? row_price() : 1.0; }
};

constexpr double unit_rounding = 1.1102230246251565e-16;  // u = 2^-53

// How many u a sum of that many terms can lose, a share of the sum of their sizes: all of them, or
// 8 sqrt(k) for all but a share of 3e-14 of the sums (N. J. Higham and T. Mary 2019, A New Approach
// to Probabilistic Rounding Error Analysis, doi:10.1137/18M1226312, Theorem 2.4).
inline double units_of_sum(Index terms) {
  const double k = static_cast<double>(terms);
  return std::min(k, 8 * std::sqrt(k));
}

// |x_i|, also where its square is no number.
template <class Data>
double row_norm(const Data& x, Index i) {
  const double square = x.squared_norm(i);
  if (std::is_same<Data, Gram>::value || (square > 1e-280 && square < 1e280)) {
    return std::sqrt(square);
  }
  double largest = 0, sum = 0;
  x.for_each(i, [&](Index, double v) { largest = std::max(largest, std::abs(v)); });
  if (!(largest > 0)) return largest;
  x.for_each(i, [&](Index, double v) { sum += (v / largest) * (v / largest); });
  return largest * std::sqrt(sum);
}

// How far rounding can move a_e'w, see rounding() above. Columns: the longest row.
template <class Data>
double rounding_of_rows(const Data& x, const std::vector<Index>& used) {
  Index most = 0;
  for (const Index i : used) most = std::max(most, x.nonzeros(i));
  return unit_rounding * (units_of_sum(most) + 5);
}
inline double rounding_of_rows(const Gram&, const std::vector<Index>&) { return 0; }

// w = X'coef, a block for each column; rows whose coefficients are zero cost nothing.
template <class Data>
void expand(const Data& x, const Mat& coef, Vec& w, Tick& tick) {
  w.setZero(x.dim() * coef.cols());
  for (Index i = 0; i < coef.rows(); ++i) {
    for (Index k = 0; k < coef.cols(); ++k) {
      if (coef(i, k) == 0) continue;
      x.axpy(i, coef(i, k), Eigen::Map<Vec>(w.data() + k * x.dim(), x.dim()));
    }
    tick.row(i);
  }
}
inline void expand(const Gram& x, const Mat& coef, Vec& w, Tick& tick) {
  const Mat scores = x.multiply(coef, tick);
  w = Eigen::Map<const Vec>(scores.data(), scores.size());
}

}  // namespace dualmargin::hard
