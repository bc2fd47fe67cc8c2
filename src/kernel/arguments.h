// What the kernels known by a formula are functions of, between original rows or mixtures of them:
// inner products or squared distances, computed from the rows as they are asked for.
#pragma once

#include <algorithm>
#include <vector>

#include "core/numeric.h"
#include "data/dense.h"
#include "data/sparse.h"
#include "kernel/mixed_rows.h"

namespace dualmargin {

// Arguments of some rows with the original rows from a given one on: places where they lie.
template <class Scalar>
struct ArgumentRows {
  std::vector<const Scalar*> row;
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> own;  // what lies nowhere else
};

class Arguments {
 public:
  using Scalar = double;

  virtual ~Arguments() = default;

  virtual Index n() const = 0;  // original rows
  virtual double pair(Index i, Index j) const = 0;
  // Column k of out: the arguments of rows[k] with the original rows from `from` on.
  virtual void columns(const Mixture* rows, Index count, Index from, double* out) const = 0;

  void rows(const Mixture* rows, Index count, Index from, ArgumentRows<double>& out) const {
    out.own.resize(n() - from, count);
    columns(rows, count, from, out.own.data());
    out.row.resize(count);
    for (Index k = 0; k < count; ++k) out.row[k] = out.own.data() + k * out.own.rows();
  }
  double bytes() const { return 0; }
};

// Y'x_i for the rows x_i from `from` on, where the rows of Y' are given as columns; neither has a
// bias coordinate. Dense rows by a matrix product, sparse ones entry by entry for all of Y at once.
inline void inner_products(const Dense& X, const Mat& Y, Index from, double* out) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index n = X.n() - from;
  const Eigen::Map<const RowMajor> rows(X.values() + from * X.dim(), n, X.dim());
  if (Y.cols() == 1) {
    Eigen::Map<Vec>(out, n).noalias() = rows * Y.col(0);
  } else {
    Eigen::Map<Mat>(out, n, Y.cols()).noalias() = rows * Y;
  }
}
inline void inner_products(const Sparse& X, const Mat& Y, Index from, double* out) {
  const Mat features = Y.transpose();
  Vec sum(Y.cols());
  Eigen::Map<Mat> all(out, X.n() - from, Y.cols());
  for (Index i = from; i < X.n(); ++i) {
    sum.setZero();
    X.for_each(i, [&](Index j, double x) { sum += x * features.col(j); });
    all.row(i - from) = sum;
  }
}

// |x - y|^2 = |x|^2 + |y|^2 - 2 x'y. What is left of two equal rows is rounding, whose root a
// Laplace kernel would show.
inline double squared_distance(double norm2, double other_norm2, double product) {
  constexpr double rounding = 1e-14;
  const double both = norm2 + other_norm2, d = both - 2 * product;
  return d > rounding * both ? d : 0.0;
}

template <class Data>
class ComputedArguments final : public Arguments {
 public:
  ComputedArguments(const Data& x, bool distances) : x_(x), distances_(distances), norm2_(x.n()) {
    for (Index i = 0; i < n(); ++i) norm2_[i] = x.squared_norm(i);
  }

  Index n() const override { return x_.n(); }
  double pair(Index i, Index j) const override {
    Vec y = Vec::Zero(x_.dim());
    x_.axpy(j, 1, y);
    const double product = x_.dot(i, y);
    if (!distances_) return product;
    return i == j ? 0.0 : squared_distance(norm2_[i], norm2_[j], product);
  }
  void columns(const Mixture* rows, Index count, Index from, double* out) const override {
    // few enough at a time that their dense form stays small, however many columns x has
    const Index length = n() - from, few = std::clamp<Index>((1 << 20) / x_.dim(), 8, 256);
    for (Index k = 0; k < count; k += few) {
      const Mat some = as_columns(rows + k, std::min(few, count - k));
      double* columns = out + k * length;
      inner_products(x_, some, from, columns);
      for (Index j = 0; distances_ && j < some.cols(); ++j) {
        to_distances(rows[k + j], some.col(j).squaredNorm(), from, columns + j * length);
      }
    }
  }

 private:
  Mat as_columns(const Mixture* rows, Index count) const {
    Mat y = Mat::Zero(x_.dim(), count);
    for (Index k = 0; k < count; ++k) {
      const Mixture& row = rows[k];
      x_.for_each(row.first, [&](Index j, double value) { y(j, k) = (1 - row.share) * value; });
      if (row.share == 0) continue;
      x_.for_each(row.second, [&](Index j, double value) { y(j, k) += row.share * value; });
    }
    return y;
  }
  void to_distances(const Mixture& row, double norm2, Index from, double* column) const {
    for (Index i = from; i < n(); ++i) {
      column[i - from] = squared_distance(norm2_[i], norm2, column[i - from]);
    }
    if (row.share == 0 && row.first >= from) column[row.first - from] = 0;
  }

  const Data& x_;
  bool distances_;
  Vec norm2_;
};

}  // namespace dualmargin
