// The rows of a maximum-margin problem: a_e, of which a direction w is to make the smallest a_e'w
// as large as it can.
//
//   two classes   a_i = y_i x_i / R                        one row an example
//   k classes     a_{i,j} = x_i (e_{c_i} - e_j)' / (sqrt(2) R)   one row an example and other class
//
// with R the largest norm of an x_i, so that |a_e| <= 1. The second is the reduction of Z. Ji,
// N. Srebro and M. Telgarsky (2021), Fast Margin Maximization via Dual Acceleration, ICML 139,
// Section 5.2, arXiv:2107.00595, with its sign put right; its n (k - 1) x d k matrix is never made.
//
// A vector w lives where the data type's primal vectors live, a block for each class: for kernels
// it is the scores of the examples, and its norm needs the coefficients c of w = A'c.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/monitor.h"
#include "data/gram.h"

namespace dualmargin {

class MarginRows {
 public:
  virtual ~MarginRows() = default;

  virtual Index size() const = 0;
  virtual Index dim() const = 0;
  virtual double largest_norm() const = 0;  // R
  // p = A w
  virtual void multiply(const Vec& w, Vec& p, Monitor& monitor) const = 0;
  // w = A'c; rows whose c is zero cost nothing
  virtual void combine(const Vec& c, Vec& w, Monitor& monitor) const = 0;
  // |w|^2 for w = A'c
  virtual double squared_norm(const Vec& w, const Vec& c) const = 0;
  virtual double dot(Index e, const Vec& w) const = 0;
  virtual void add(Index e, double s, Vec& w) const = 0;  // w += s a_e
  virtual double squared_norm(Index e) const = 0;
  // out_k = a_e'a_{rows[k]}
  virtual void gram(Index e, const std::vector<Index>& rows, Vec& out) const = 0;
  // out = A a_e
  virtual void column(Index e, Vec& out, Monitor& monitor) const = 0;
  // Work of one row's dot product, in passes over the data.
  double row_price() const { return 1 / static_cast<double>(std::max<Index>(size(), 1)); }
  // +1 and -1 for two classes: what a free intercept tells apart.
  virtual double side(Index e) const = 0;
  // The coefficients of all x_i in w = A'c, a column for each block of w.
  virtual Mat coefficients(const Vec& c) const = 0;
  // Is w a vector of scores, of which dot() reads one or two, while add() costs a row of a kernel?
  virtual bool is_kernel() const { return false; }
};

// w = X'coef, a block for each column; rows whose coefficients are zero cost nothing.
template <class Data>
void expand(const Data& x, const Mat& coef, Vec& w, Monitor& monitor) {
  std::vector<Vec> v(coef.cols(), Vec::Zero(x.dim()));
  for (Index i = 0; i < coef.rows(); ++i) {
    for (Index k = 0; k < coef.cols(); ++k) {
      if (coef(i, k) != 0) x.axpy(i, coef(i, k), v[k]);
    }
    monitor.tick_rows(i);
  }
  w.resize(x.dim() * coef.cols());
  for (Index k = 0; k < coef.cols(); ++k) w.segment(k * x.dim(), x.dim()) = v[k];
}
inline void expand(const Gram& x, const Mat& coef, Vec& w, Monitor& monitor) {
  w.setZero(coef.size());
  Eigen::Map<Mat> scores(w.data(), coef.rows(), coef.cols());
  x.kernel().multiply(coef, scores, [&] { monitor.tick(); });
  scores.rowwise() += x.constant() * coef.colwise().sum();
}

// used: the examples that count. label: -1 and +1.
template <class Data>
class BinaryRows final : public MarginRows {
 public:
  BinaryRows(const Data& x, const Vec& label, std::vector<Index> used)
      : x_(x), label_(label), used_(std::move(used)) {
    for (const Index i : used_) norm_ = std::max(norm_, std::sqrt(x_.squared_norm(i)));
    if (norm_ == 0) norm_ = 1;
  }

  Index size() const override { return static_cast<Index>(used_.size()); }
  Index dim() const override { return x_.dim(); }
  double largest_norm() const override { return norm_; }
  void multiply(const Vec& w, Vec& p, Monitor& monitor) const override {
    p.resize(size());
    for (Index e = 0; e < size(); ++e) {
      p[e] = dot(e, w);
      monitor.tick_rows(e);
    }
  }
  void combine(const Vec& c, Vec& w, Monitor& monitor) const override {
    expand(x_, coefficients(c), w, monitor);
  }
  double squared_norm(const Vec& w, const Vec& c) const override {
    return x_.inner(w, coefficients(c).col(0));
  }
  double dot(Index e, const Vec& w) const override { return factor(e) * x_.dot(used_[e], w); }
  void add(Index e, double s, Vec& w) const override { x_.axpy(used_[e], s * factor(e), w); }
  double squared_norm(Index e) const override {
    return x_.squared_norm(used_[e]) / (norm_ * norm_);
  }
  void gram(Index e, const std::vector<Index>& rows, Vec& out) const override {
    Vec a = Vec::Zero(dim());
    add(e, 1, a);
    out.resize(static_cast<Index>(rows.size()));
    for (Index k = 0; k < out.size(); ++k) out[k] = dot(rows[k], a);
  }
  void column(Index e, Vec& out, Monitor& monitor) const override {
    Vec a = Vec::Zero(dim());
    add(e, 1, a);
    multiply(a, out, monitor);
  }
  double side(Index e) const override { return label_[used_[e]]; }
  Mat coefficients(const Vec& c) const override {
    Mat coef = Mat::Zero(x_.n(), 1);
    for (Index e = 0; e < size(); ++e) coef(used_[e], 0) = c[e] * factor(e);
    return coef;
  }
  bool is_kernel() const override { return std::is_same<Data, Gram>::value; }

 private:
  double factor(Index e) const { return label_[used_[e]] / norm_; }

  const Data& x_;
  const Vec& label_;
  std::vector<Index> used_;
  double norm_ = 0;
};

// label: 1, ..., k. Row (i, r) has the r-th of the classes that are not i's.
template <class Data>
class MulticlassRows final : public MarginRows {
 public:
  MulticlassRows(const Data& x, const Vec& label, int classes, std::vector<Index> used)
      : x_(x), classes_(classes), used_(std::move(used)) {
    for (const Index i : used_) {
      own_.push_back(static_cast<int>(label[i]) - 1);
      norm_ = std::max(norm_, std::sqrt(x_.squared_norm(i)));
    }
    if (norm_ == 0) norm_ = 1;
  }

  Index size() const override { return examples() * (classes_ - 1); }
  Index dim() const override { return x_.dim() * classes_; }
  double largest_norm() const override { return norm_; }
  void multiply(const Vec& w, Vec& p, Monitor& monitor) const override {
    p.resize(size());
    const Mat of_class = Eigen::Map<const Mat>(w.data(), x_.dim(), classes_);
    std::vector<Vec> v(classes_);
    for (int c = 0; c < classes_; ++c) v[c] = of_class.col(c);
    Vec score(classes_);
    for (Index i = 0; i < examples(); ++i) {
      for (int c = 0; c < classes_; ++c) score[c] = x_.dot(used_[i], v[c]);
      for (int r = 0; r + 1 < classes_; ++r) {
        p[i * (classes_ - 1) + r] = (score[own_[i]] - score[other(i, r)]) * factor();
      }
      monitor.tick_rows(i);
    }
  }
  void combine(const Vec& c, Vec& w, Monitor& monitor) const override {
    expand(x_, coefficients(c), w, monitor);
  }
  double squared_norm(const Vec& w, const Vec& c) const override {
    const Mat coef = coefficients(c);
    double total = 0;
    for (int k = 0; k < classes_; ++k) total += x_.inner(block(w, k), coef.col(k));
    return total;
  }
  double dot(Index e, const Vec& w) const override {
    const Index i = e / (classes_ - 1);
    const int j = other(i, static_cast<int>(e % (classes_ - 1)));
    return factor() * (x_.dot(used_[i], block(w, own_[i])) - x_.dot(used_[i], block(w, j)));
  }
  void add(Index e, double s, Vec& w) const override {
    const Index i = e / (classes_ - 1);
    add_to(w, own_[i], i, s * factor());
    add_to(w, other(i, static_cast<int>(e % (classes_ - 1))), i, -s * factor());
  }
  double squared_norm(Index e) const override {
    return x_.squared_norm(used_[e / (classes_ - 1)]) / (norm_ * norm_);
  }
  void gram(Index e, const std::vector<Index>& rows, Vec& out) const override {
    const Vec a = expanded(e / (classes_ - 1));
    out.resize(static_cast<Index>(rows.size()));
    for (Index k = 0; k < out.size(); ++k) {
      const double common = overlap(e, rows[k]);
      out[k] = common == 0 ? 0.0 : common * x_.dot(used_[rows[k] / (classes_ - 1)], a);
    }
  }
  void column(Index e, Vec& out, Monitor& monitor) const override {
    const Vec a = expanded(e / (classes_ - 1));
    out.resize(size());
    for (Index i = 0; i < examples(); ++i) {
      const double product = x_.dot(used_[i], a);
      for (Index f = i * (classes_ - 1); f < (i + 1) * (classes_ - 1); ++f) {
        out[f] = product * overlap(e, f);
      }
      monitor.tick_rows(i);
    }
  }
  double side(Index) const override { return 0; }
  Mat coefficients(const Vec& c) const override {
    Mat coef = Mat::Zero(x_.n(), classes_);
    for (Index e = 0; e < size(); ++e) {
      const Index i = e / (classes_ - 1);
      const int j = other(i, static_cast<int>(e % (classes_ - 1)));
      coef(used_[i], own_[i]) += c[e] * factor();
      coef(used_[i], j) -= c[e] * factor();
    }
    return coef;
  }
  bool is_kernel() const override { return std::is_same<Data, Gram>::value; }

 private:
  Index examples() const { return static_cast<Index>(used_.size()); }
  int other(Index i, int r) const { return r < own_[i] ? r : r + 1; }
  double factor() const { return std::sqrt(0.5) / norm_; }
  Vec block(const Vec& w, int k) const { return w.segment(k * x_.dim(), x_.dim()); }
  void add_to(Vec& w, int k, Index i, double s) const {
    Vec v = block(w, k);
    x_.axpy(used_[i], s, v);
    w.segment(k * x_.dim(), x_.dim()) = v;
  }
  Vec expanded(Index i) const {
    Vec a = Vec::Zero(x_.dim());
    x_.axpy(used_[i], 1 / (norm_ * norm_), a);
    return a;
  }
  // (e_c - e_j)'(e_d - e_l) / 2
  double overlap(Index e, Index f) const {
    const Index i = e / (classes_ - 1), l = f / (classes_ - 1);
    const int j = other(i, static_cast<int>(e % (classes_ - 1)));
    const int m = other(l, static_cast<int>(f % (classes_ - 1)));
    return 0.5 * ((own_[i] == own_[l]) - (own_[i] == m) - (j == own_[l]) + (j == m));
  }

  const Data& x_;
  int classes_;
  std::vector<Index> used_;
  std::vector<int> own_;
  double norm_ = 0;
};

}  // namespace dualmargin
