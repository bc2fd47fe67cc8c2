// The rows of two classes: a_i = y_i x_i / R, with R the largest norm of an x_i.
#pragma once

#include "hard/margin_rows.h"

namespace dualmargin::hard {

// used: the examples that count. label: -1 and +1.
template <class Data>
class BinaryRows final : public MarginRows {
 public:
  // of_values: how far rounding can have moved the values of a kernel.
  BinaryRows(const Data& x, const Vec& label, std::vector<Index> used, double of_values = 0)
      : x_(x),
        label_(label),
        used_(std::move(used)),
        length_(size()),
        rounding_(of_values + rounding_of_rows(x_, used_)) {
    for (Index e = 0; e < size(); ++e) length_[e] = row_norm(x_, used_[e]);
    norm_ = size() > 0 ? length_.maxCoeff() : 0;
    if (norm_ == 0) norm_ = 1;
    length_ /= norm_;
  }

  Index size() const override { return static_cast<Index>(used_.size()); }
  Index dim() const override { return x_.dim(); }
  double largest_norm() const override { return norm_; }
  bool is_kernel() const override { return std::is_same<Data, Gram>::value; }
  void multiply(const Vec& w, Vec& p, Tick& tick) const override {
    p.resize(size());
    for (Index e = 0; e < size(); ++e) {
      p[e] = factor(e) * x_.dot(used_[e], w);
      tick.row(e);
    }
  }
  void combine(const Vec& c, Vec& w, Tick& tick) const override {
    expand(x_, coefficients(c), w, tick);
  }
  Mat coefficients(const Vec& c) const override {
    Mat coef = Mat::Zero(x_.n(), 1);
    for (Index e = 0; e < size(); ++e) coef(used_[e], 0) = c[e] * factor(e);
    return coef;
  }
  double squared_norm(const Vec& w, const Vec& c) const override {
    return x_.inner(w, coefficients(c).col(0));
  }
  double dot(Index e, const Vec& w) const override { return factor(e) * x_.dot(used_[e], w); }
  void add(Index e, double s, Vec& w) const override { x_.axpy(used_[e], s * factor(e), w); }
  double squared_norm(Index e) const override { return length_[e] * length_[e]; }
  double rounding(Index count) const override {
    return is_kernel() ? rounding_ + unit_rounding * (units_of_sum(count) + 8) : rounding_;
  }
  void gram(Index e, const std::vector<Index>& rows, Vec& out) const override {
    Vec a = Vec::Zero(dim());
    x_.axpy(used_[e], factor(e), a);
    out.resize(static_cast<Index>(rows.size()));
    for (Index k = 0; k < out.size(); ++k) out[k] = factor(rows[k]) * x_.dot(used_[rows[k]], a);
  }
  double side(Index e) const override { return label_[used_[e]]; }

  Index examples() const override { return size(); }
  Index example(Index e) const override { return e; }
  void products(Index i, Vec& out, Tick& tick) const override {
    Vec a = Vec::Zero(dim());
    x_.axpy(used_[i], 1 / norm_, a);
    out.resize(size());
    for (Index l = 0; l < size(); ++l) {
      out[l] = x_.dot(used_[l], a) / norm_;
      tick.row(l);
    }
  }
  void column(Index e, const Vec& products, Vec& out) const override {
    out.resize(size());
    for (Index f = 0; f < size(); ++f) out[f] = side(e) * side(f) * products[f];
  }

 private:
  double factor(Index e) const { return label_[used_[e]] / norm_; }

  const Data& x_;
  const Vec& label_;
  std::vector<Index> used_;
  Vec length_;  // |x_i| / R
  double rounding_, norm_ = 0;
};

}  // namespace dualmargin::hard
