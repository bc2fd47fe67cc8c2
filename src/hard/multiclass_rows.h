// The rows of k classes: a_{i,j} = x_i (e_{c_i} - e_j)' / (sqrt(2) R), one for each example and
// other class, with R the largest norm of an x_i. This is the reduction of Z. Ji, N. Srebro and
// M. Telgarsky (2021), Fast Margin Maximization via Dual Acceleration, ICML 139, Section 5.2,
// arXiv:2107.00595, with its sign put right; its n (k - 1) x d k matrix is never made.
#pragma once

#include "hard/margin_rows.h"

namespace dualmargin::hard {

// label: 1, ..., k. Row (i, r) has the r-th of the classes that are not i's.
template <class Data>
class MulticlassRows final : public MarginRows {
 public:
  MulticlassRows(const Data& x, const Vec& label, int classes, std::vector<Index> used,
                 double of_values = 0)
      : x_(x),
        classes_(classes),
        others_(classes - 1),
        used_(std::move(used)),
        length_(examples()),
        rounding_(of_values + rounding_of_rows(x_, used_)) {
    for (Index i = 0; i < examples(); ++i) {
      own_.push_back(static_cast<int>(label[used_[i]]) - 1);
      length_[i] = row_norm(x_, used_[i]);
    }
    norm_ = examples() > 0 ? length_.maxCoeff() : 0;
    if (norm_ == 0) norm_ = 1;
    length_ /= norm_;
  }

  Index size() const override { return examples() * others_; }
  Index dim() const override { return x_.dim() * classes_; }
  double largest_norm() const override { return norm_; }
  bool is_kernel() const override { return std::is_same<Data, Gram>::value; }
  void multiply(const Vec& w, Vec& p, Tick& tick) const override {
    p.resize(size());
    Vec score(classes_);
    for (Index i = 0; i < examples(); ++i) {
      for (int c = 0; c < classes_; ++c) score[c] = factor() * x_.dot(used_[i], block(w, c));
      for (int r = 0; r < others_; ++r) {
        p[i * others_ + r] = score[own_[i]] - score[other(i, r)];
      }
      tick.row(i);
    }
  }
  void combine(const Vec& c, Vec& w, Tick& tick) const override {
    expand(x_, coefficients(c), w, tick);
  }
  Mat coefficients(const Vec& c) const override {
    Mat coef = Mat::Zero(x_.n(), classes_);
    for (Index e = 0; e < size(); ++e) {
      if (c[e] == 0) continue;
      const Index i = example(e);
      coef(used_[i], own_[i]) += c[e] * factor();
      coef(used_[i], rival(e)) -= c[e] * factor();
    }
    return coef;
  }
  double squared_norm(const Vec& w, const Vec& c) const override {
    const Mat coef = coefficients(c);
    double total = 0;
    for (int k = 0; k < classes_; ++k) total += x_.inner(block(w, k), coef.col(k));
    return total;
  }
  double dot(Index e, const Vec& w) const override {
    const Index i = example(e);
    return factor() * (x_.dot(used_[i], block(w, own_[i])) - x_.dot(used_[i], block(w, rival(e))));
  }
  void add(Index e, double s, Vec& w) const override {
    const Index i = example(e);
    x_.axpy(used_[i], s * factor(), block(w, own_[i]));
    x_.axpy(used_[i], -s * factor(), block(w, rival(e)));
  }
  double squared_norm(Index e) const override {
    const double length = length_[example(e)];
    return length * length;
  }
  double rounding(Index count) const override {
    return is_kernel() ? rounding_ + unit_rounding * (units_of_sum(count) + 8) : rounding_;
  }
  void gram(Index e, const std::vector<Index>& rows, Vec& out) const override {
    const Vec a = scaled(example(e));
    Vec product = Vec::Constant(examples(), NAN);  // each example's only once
    out.resize(static_cast<Index>(rows.size()));
    for (Index k = 0; k < out.size(); ++k) {
      const double common = overlap(e, rows[k]);
      double& dot = product[example(rows[k])];
      if (common != 0 && std::isnan(dot)) dot = x_.dot(used_[example(rows[k])], a) / norm_;
      out[k] = common == 0 ? 0.0 : common * dot;
    }
  }
  double side(Index) const override { return 0; }

  Index examples() const override { return static_cast<Index>(used_.size()); }
  Index example(Index e) const override { return e / others_; }
  void products(Index i, Vec& out, Tick& tick) const override {
    const Vec a = scaled(i);
    out.resize(examples());
    for (Index l = 0; l < examples(); ++l) {
      out[l] = x_.dot(used_[l], a) / norm_;
      tick.row(l);
    }
  }
  void column(Index e, const Vec& products, Vec& out) const override {
    out.resize(size());
    const int c = own_[example(e)], j = rival(e);
    for (Index l = 0; l < examples(); ++l) {
      const int d = own_[l];
      const double half = 0.5 * products[l];
      auto rows = out.segment(l * others_, others_);
      rows.setConstant(half * ((c == d) - (j == d)));
      if (c != d) rows[place(l, c)] -= half;
      if (j != d) rows[place(l, j)] += half;
    }
  }

 private:
  int other(Index i, int r) const { return r < own_[i] ? r : r + 1; }
  int place(Index i, int k) const { return k < own_[i] ? k : k - 1; }  // undoes other()
  int rival(Index e) const { return other(example(e), static_cast<int>(e % others_)); }
  double factor() const { return std::sqrt(0.5) / norm_; }
  Eigen::Map<const Vec> block(const Vec& w, int k) const {
    return {w.data() + k * x_.dim(), x_.dim()};
  }
  Eigen::Map<Vec> block(Vec& w, int k) const { return {w.data() + k * x_.dim(), x_.dim()}; }
  Vec scaled(Index i) const {  // x_i / R
    Vec a = Vec::Zero(x_.dim());
    x_.axpy(used_[i], 1 / norm_, a);
    return a;
  }
  // (e_c - e_j)'(e_d - e_l) / 2
  double overlap(Index e, Index f) const {
    const int c = own_[example(e)], d = own_[example(f)], j = rival(e), l = rival(f);
    return 0.5 * ((c == d) - (c == l) - (j == d) + (j == l));
  }

  const Data& x_;
  int classes_, others_;
  std::vector<Index> used_;
  std::vector<int> own_;
  Vec length_;  // |x_i| / R
  double rounding_, norm_ = 0;
};

}  // namespace dualmargin::hard
