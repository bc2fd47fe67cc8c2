// The rows of a maximum-margin problem: a_e, of which a direction w is to make the smallest a_e'w
// as large as it can. They are made of examples x_i, R the largest of their norms:
//
//   two classes   a_i = y_i x_i / R
//   k classes     a_{i,j} = x_i (e_{c_i} - e_j)' / (sqrt(2) R)   for every class j but c_i
//
// the reduction of Z. Ji, N. Srebro and M. Telgarsky (2021), Fast Margin Maximization via Dual
// Acceleration, ICML 139, Section 5.2, arXiv:2107.00595, with its sign put right; its n (k - 1) x
// d k matrix A is never made.
//
// A vector w lives where the data type's primal vectors live, a block for each class: for kernels
// it is the scores of the examples, and its norm needs the coefficients c of w = A'c.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/pass_seconds.h"
#include "base/rounding.h"
#include "rows/rows.h"

namespace dualmargin::hard {

class MarginRows {
 public:
  virtual ~MarginRows() = default;

  Index size() const { return lengths_.size(); }
  Index dim() const { return dim_ * blocks_; }
  Index examples() const { return static_cast<Index>(used_.size()); }
  Index example(Index e) const { return e / others_; }
  double largest_norm() const { return norm_; }  // R
  // Is w a vector of scores, of which dot() reads one or two, while add() costs a row of a kernel?
  bool is_kernel() const { return kernel_; }
  // +1 and -1 for two classes: what a free intercept tells apart.
  double side(Index e) const { return blocks_ == 1 ? side_[e] : 0.0; }
  const Vec& lengths() const { return lengths_; }  // |a_e|
  // How large they are together: a_{i,j} has x_i in two blocks.
  seconds::Table table() const;
  double squared_norm(Index e) const { return lengths_[e] * lengths_[e]; }

  // x_i'w_k for all x_i, a column for each block k
  virtual Mat scores(const Vec& w, Tick& tick) const = 0;
  // p = A w
  void multiply(const Vec& w, Vec& p, Tick& tick) const;
  // w = A'c; rows whose c is zero cost nothing
  void combine(const Vec& c, Vec& w, Tick& tick) const { w = combined(coefficients(c), tick); }
  // The coefficients of all x_i in w = A'c, a column for each block of w.
  Mat coefficients(const Vec& c) const;
  // \sum_e |c_e a_e|, entry by entry, of columns
  Vec sizes(const Vec& c) const;
  // |w|^2 for w = A'c
  double squared_norm(const Vec& w, const Vec& c) const;
  double dot(Index e, const Vec& w) const;
  void add(Index e, double a, Vec& w) const;  // w += a a_e
  // What the kernel may lack, see kernel/semidefinite.h: |w|^2 of w = A'c is known up to the square
  // of this, scores up to |a_e| times sqrt(allowance) of it.
  double lack(const Vec& c) const;
  double of_scores(double lack) const { return std::sqrt(allowance_) * lack; }
  // Does the user answer for the kernel?
  bool given() const { return given_; }
  // How far rounding can move a_e'w, a share of the lengths of its terms: of columns of |a_e| |w|,
  // of a kernel of |a_e| \sum_f |c_f| |a_f| with that many c_f that are not zero.
  double rounding(Index count) const { return kernel_ ? rounding_ + of_sum(count) : rounding_; }
  // A'c, a share of \sum_f |c_f| |a_f| with that many c_f that are not zero: the additions of an
  // example's c_f, of the examples, and a product by the scale and one by x_i.
  double of_sum(Index count) const;

  // out_k = a_e'a_{rows[k]}
  void gram(Index e, const std::vector<Index>& rows, Vec& out, Tick& tick) const;

  // Columns A a_e. Those of the rows of one example are made of the same products x_i'x_l / R^2.
  void products(Index i, Vec& out, Tick& tick) const { multiply(used_[i], used_, out, tick); }
  void column(Index e, const Vec& products, Vec& out) const;

  // The one of a row that is needed once.
  Vec column(Index e, Tick& tick) const;

  // Work in passes over the data: of A w, of one row, of a column.
  double multiply_price() const { return kernel_ ? 0.0 : 1.0; }
  double row_price() const;
  double column_price() const { return kernel_ ? row_price() : 1.0; }

 protected:
  // Of the examples whose weight is positive. label: -1 and +1, or 1, ..., k for several classes;
  // rounding: of a_e'w, but for the sum over rows of a kernel.
  MarginRows(const RowSpan& label, const RowSpan& weights, const RowSpan& norms, int classes,
             Index dim, double nonzeros, bool kernel, double rounding, double additions,
             double allowance, bool given);

 private:
  double others() const { return static_cast<double>(others_); }
  // w_k = sum_i coef_ik x_i
  virtual Vec combined(const Mat& coef, Tick& tick) const = 0;
  virtual double dot(Index i, const Vec& w, Index k) const = 0;
  // w_k += a |x_i|, of which moved rows have the sizes of what was moved
  virtual void add_sizes(Index i, double a, Vec& w, Index k) const = 0;
  virtual void add(Index i, double a, Vec& w, Index k) const = 0;
  // out_k = x_i'x_{some[k]} / R^2
  virtual void multiply(Index i, const std::vector<Index>& some, Vec& out, Tick& tick) const = 0;

  // f(i, k, s) for the blocks of a_e: s x_i in block k
  template <class F>
  void each_block(Index e, F f) const {
    const Index l = example(e);
    if (blocks_ == 1) {
      f(used_[l], Index{0}, scale_ * side_[l]);
    } else {
      f(used_[l], Index{own_[l]}, scale_);
      f(used_[l], Index{rival(e)}, -scale_);
    }
  }
  // a_e'a_f R^2 / x_i'x_l of their examples
  double overlap(Index e, Index f) const;
  int place(Index i, int k) const { return k < own_[i] ? k : k - 1; }  // undone by rival()
  int rival(Index e) const;

  Index n_, dim_, blocks_, others_;
  bool kernel_, given_;
  double nonzeros_, rounding_, additions_, allowance_, norm_ = 0, scale_;
  std::vector<Index> used_;  // the examples that count
  std::vector<int> own_;     // their classes, from 0
  Vec side_, lengths_;
};

// of_values: how far rounding can have moved the values of a kernel; allowance, given: of those of
// the user, see KernelSize.
class ExampleRows final : public MarginRows {
 public:
  ExampleRows(const Rows& rows, int classes, double of_values = 0, double allowance = 0,
              bool given = false);

  Mat scores(const Vec& w, Tick& tick) const override;

 private:
  const double* block(const Vec& w, Index k) const { return w.data() + k * rows_.dim(); }
  Vec combined(const Mat& coef, Tick& tick) const override;
  double dot(Index i, const Vec& w, Index k) const override;
  void add(Index i, double a, Vec& w, Index k) const override;
  void add_sizes(Index i, double a, Vec& w, Index k) const override;
  void multiply(Index i, const std::vector<Index>& some, Vec& out, Tick& tick) const override;

  Rows rows_;
};

}  // namespace dualmargin::hard
