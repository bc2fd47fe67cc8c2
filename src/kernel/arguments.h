// What the kernels known by a formula are functions of, between original rows: inner products or
// squared distances. Either computed from the rows as they are asked for, or stored.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/monitor.h"
#include "core/numeric.h"
#include "data/dense.h"
#include "data/sparse.h"

namespace dualmargin {

class Arguments {
 public:
  virtual ~Arguments() = default;

  virtual Index n() const = 0;
  virtual double pair(Index i, Index j) const = 0;
  // Column k of out: the arguments of rows[k] with the rows from `from` on.
  virtual void columns(const Index* rows, Index count, Index from, double* out) const = 0;
  virtual void columns(const Index* rows, Index count, Index from, float* out) const {
    Mat values(n() - from, count);
    columns(rows, count, from, values.data());
    Eigen::Map<Eigen::MatrixXf>(out, n() - from, count) = values.cast<float>();
  }
  virtual double bytes() const { return 0; }
};

// X y for the rows of X from `from` on and `count` columns y: dense rows by a matrix product,
// sparse ones entry by entry. Neither has a bias coordinate.
inline void inner_products(const Dense& X, const Mat& y, Index from, double* out) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index n = X.n() - from;
  const Eigen::Map<const RowMajor> rows(X.values() + from * X.dim(), n, X.dim());
  Eigen::Map<Mat>(out, n, y.cols()).noalias() = rows * y;
}
inline void inner_products(const Sparse& X, const Mat& y, Index from, double* out) {
  for (Index k = 0; k < y.cols(); ++k) {
    for (Index i = from; i < X.n(); ++i) {
      double sum = 0;
      X.for_each(i, [&](Index j, double x) { sum += x * y(j, k); });
      *out++ = sum;
    }
  }
}

template <class Data>
Mat as_columns(const Data& x, const Index* rows, Index count) {
  Mat y = Mat::Zero(x.dim(), count);
  for (Index k = 0; k < count; ++k) {
    x.for_each(rows[k], [&](Index j, double value) { y(j, k) = value; });
  }
  return y;
}

// |x - y|^2 = |x|^2 + |y|^2 - 2 x'y. What is left of two equal rows is rounding, whose root a
// Laplace kernel would show.
inline double squared_distance(double norm2, double other_norm2, double product) {
  constexpr double rounding = 1e-14;
  const double both = norm2 + other_norm2, d = both - 2 * product;
  return d > rounding * both ? d : 0.0;
}

template <class Data>
Vec squared_norms(const Data& x) {
  Vec norm2(x.n());
  for (Index i = 0; i < x.n(); ++i) norm2[i] = x.squared_norm(i);
  return norm2;
}

template <class Data>
class ComputedArguments final : public Arguments {
 public:
  ComputedArguments(const Data& x, bool distances)
      : x_(x), distances_(distances), norm2_(squared_norms(x)) {}

  Index n() const override { return x_.n(); }
  double pair(Index i, Index j) const override {
    Vec y = Vec::Zero(x_.dim());
    x_.axpy(j, 1, y);
    const double product = x_.dot(i, y);
    if (!distances_) return product;
    return i == j ? 0.0 : squared_distance(norm2_[i], norm2_[j], product);
  }
  using Arguments::columns;
  void columns(const Index* rows, Index count, Index from, double* out) const override {
    // few enough at a time that their dense form stays small, however many columns x has
    const Index length = n() - from, few = std::clamp<Index>((1 << 20) / x_.dim(), 1, 256);
    for (Index k = 0; k < count; k += few) {
      const Mat some = as_columns(x_, rows + k, std::min(few, count - k));
      inner_products(x_, some, from, out + k * length);
    }
    if (!distances_) return;
    for (Index k = 0; k < count; ++k) {
      double* column = out + k * length;
      for (Index i = 0; i < length; ++i) {
        column[i] = squared_distance(norm2_[from + i], norm2_[rows[k]], column[i]);
      }
    }
  }

 private:
  const Data& x_;
  bool distances_;
  Vec norm2_;
};

// A symmetric n x n array of another one's values, computed once a pair.
template <class Scalar>
std::vector<Scalar> square_array(const Arguments& source, Monitor& monitor) {
  constexpr Index width = 64;
  const Index n = source.n();
  std::vector<Scalar> values(n * n), panel(n * width);
  std::vector<Index> rows(width);
  for (Index first = 0; first < n; first += width) {
    const Index count = std::min(width, n - first), length = n - first;
    std::iota(rows.begin(), rows.end(), first);
    source.columns(rows.data(), count, first, panel.data());
    for (Index k = 0; k < count; ++k) {
      std::copy(panel.data() + k * length, panel.data() + (k + 1) * length,
                values.data() + (first + k) * n + first);
    }
    for (Index i = 0; i < length; ++i) {
      Scalar* row = values.data() + (first + i) * n + first;
      for (Index k = 0; k < count; ++k) row[k] = panel[k * length + i];
    }
    monitor.tick();
  }
  return values;
}

template <class Scalar>
class StoredArguments final : public Arguments {
 public:
  StoredArguments(const Arguments& source, Monitor& monitor)
      : n_(source.n()), values_(square_array<Scalar>(source, monitor)) {}

  Index n() const override { return n_; }
  double pair(Index i, Index j) const override { return values_[i * n_ + j]; }
  void columns(const Index* rows, Index count, Index from, double* out) const override {
    copy(rows, count, from, out);
  }
  void columns(const Index* rows, Index count, Index from, float* out) const override {
    copy(rows, count, from, out);
  }
  double bytes() const override { return sizeof(Scalar) * static_cast<double>(values_.size()); }

 private:
  template <class Out>
  void copy(const Index* rows, Index count, Index from, Out* out) const {
    for (Index k = 0; k < count; ++k) {
      const Scalar* row = values_.data() + rows[k] * n_;
      for (Index i = from; i < n_; ++i) *out++ = static_cast<Out>(row[i]);
    }
  }

  Index n_;
  std::vector<Scalar> values_;
};

}  // namespace dualmargin
