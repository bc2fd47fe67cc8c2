// What the kernels known by a formula are functions of, between original rows or mixtures of them:
// inner products or squared distances, computed from the rows as they are asked for.
#pragma once

#include <algorithm>
#include <vector>

#include "base/team.h"
#include "kernel/mixed_rows.h"
#include "kernel/two_rows.h"
#include "rows/dense.h"
#include "rows/sparse.h"

namespace dualmargin::kernel {

// Arguments of some rows with the original rows from a given one on: places where they lie.
template <class Scalar>
struct ArgumentRows {
  std::vector<const Scalar*> row;
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> own;  // what lies nowhere else
};

class Arguments {
 public:
  using Scalar = double;

  explicit Arguments(Team& team_) : team(team_) {}
  virtual ~Arguments() = default;

  Team& team;

  virtual Index n() const = 0;  // original rows
  virtual double squared_norm(Index i) const = 0;
  // The length that rounding errors of inner products are relative to: |x_i|, or more where the
  // rows are moved at run time.
  virtual double reach(Index i) const { return std::sqrt(squared_norm(i)); }
  virtual double entries(Index i) const = 0;
  virtual double value(Index i, Index j) const = 0;
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

// Y'x_i for the rows x_i in [from, until), where the rows of Y' are given as columns; neither has a
// bias coordinate; the places of a column are `stride` apart from those of the next. Dense rows by
// a matrix product, sparse ones entry by entry for all of Y at once.
using ColumnBlock = Eigen::Map<Mat, 0, Eigen::OuterStride<>>;

inline void inner_products(const Dense& X, const Mat& Y, Index from, Index until, ColumnBlock out) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> rows(X.values() + from * X.dim(), until - from, X.dim());
  if (Y.cols() == 1) {
    out.col(0).noalias() = rows * Y.col(0);
  } else {
    out.noalias() = rows * Y;
  }
}
// features: Y, row after row
inline void inner_products(const Sparse& X, const Mat& features, Index from, Index until,
                           ColumnBlock out) {
  Vec sum(features.rows());
  for (Index i = from; i < until; ++i) {
    sum.setZero();
    X.for_each(i, [&](Index j, double x) { sum += x * features.col(j); });
    out.row(i - from) = sum;
  }
}
inline const Mat& as_factor(const Dense&, const Mat& Y) { return Y; }
inline Mat as_factor(const Sparse&, const Mat& Y) { return Y.transpose(); }

// How small |x - y|^2 may be beside |x|^2 + |y|^2 before it is computed by differences: what is
// left of the difference |x|^2 + |y|^2 - 2 x'y has lost the same factor of its digits.
constexpr double least_distance = 1.0 / 64;

// The rows may have another origin c than they are stored with, so that sparse ones stay sparse:
//
//   (x - c)'(y - c) = x'y - u_x - u_y,   u_x = c'x - |c|^2 / 2.
template <class Data>
class ComputedArguments final : public Arguments {
 public:
  ComputedArguments(const Data& x, bool distances, Team& team, const Vec& origin = Vec())
      : Arguments(team), x_(x), distances_(distances), norm2_(x.n()) {
    double all = 0;
    for (Index i = 0; i < n(); ++i) {
      norm2_[i] = x.squared_norm(i);
      all += entries(i);
    }
    mean_entries_ = all / static_cast<double>(std::max<Index>(n(), 1));
    if (!distances && origin.size() > 0 && !origin.isZero(0)) move(origin);
  }

  Index n() const override { return x_.n(); }
  double squared_norm(Index i) const override { return norm2_[i]; }
  double entries(Index i) const override { return static_cast<double>(x_.nonzeros(i)); }
  double value(Index i, Index j) const override {
    if (i == j) return distances_ ? 0.0 : norm2_[i];
    if (distances_) return squared_distance(x_, i, j);
    const double t = inner_product(x_, i, j);
    return moved() ? t - (along_[i] + along_[j]) : t;
  }
  double reach(Index i) const override { return moved() ? reach_[i] : std::sqrt(norm2_[i]); }
  void columns(const Mixture* rows, Index count, Index from, double* out) const override {
    // few enough at a time that their dense form stays small, however many columns x has
    const Index length = n() - from, few = std::clamp<Index>((1 << 20) / x_.dim(), 8, 256);
    for (Index k = 0; k < count; k += few) {
      const Mat some = as_columns(rows + k, std::min(few, count - k));
      const auto& factor = as_factor(x_, some);
      const Vec norm2 = some.colwise().squaredNorm();
      const Index chunks = team.chunks(static_cast<double>(length) * mean_entries_ * some.cols());
      team.for_chunks(chunks, [&](Index chunk) {
        const Index begin = from + chunk * length / chunks,
                    end = from + (chunk + 1) * length / chunks;
        for_range(rows + k, factor, norm2, begin, end, out + k * length + (begin - from), length);
      });
    }
  }

 private:
  bool moved() const { return along_.size() > 0; }
  // |x - c|^2 is that of the stored entries and what c has in the other columns.
  void move(const Vec& c) {
    const double length2 = c.squaredNorm();
    along_.resize(n());
    reach_.resize(n());
    for (Index i = 0; i < n(); ++i) {
      double stored = 0, covered = 0;
      x_.for_each(i, [&](Index j, double x) {
        stored += (x - c[j]) * (x - c[j]);
        covered += c[j] * c[j];
      });
      along_[i] = x_.dot(i, c) - 0.5 * length2;
      reach_[i] = std::sqrt(norm2_[i]) + std::sqrt(length2);
      norm2_[i] = stored + std::max(0.0, length2 - covered);
    }
  }
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
  // The arguments with the original rows in [from, until); out: places `stride` apart.
  void for_range(const Mixture* rows, const Mat& factor, const Vec& norm2, Index from, Index until,
                 double* out, Index stride) const {
    inner_products(x_, factor, from, until,
                   ColumnBlock(out, until - from, norm2.size(), Eigen::OuterStride<>(stride)));
    for (Index k = 0; k < norm2.size(); ++k) {
      double* column = out + k * stride;
      if (distances_) to_distances(rows[k], norm2[k], from, until, column);
      if (!moved()) continue;
      const double s = rows[k].share,
                   own = (1 - s) * along_[rows[k].first] + s * along_[rows[k].second];
      for (Index i = from; i < until; ++i) column[i - from] -= along_[i] + own;
    }
  }
  void to_distances(const Mixture& row, double norm2, Index from, Index until,
                    double* column) const {
    const double s = row.share;
    const double apart = s == 0 ? 0.0 : s * (1 - s) * value(row.first, row.second);
    for (Index i = from; i < until; ++i) {
      const double both = norm2_[i] + norm2, d = both - 2 * column[i - from];
      if (d >= least_distance * both) {
        column[i - from] = d;
      } else if (s == 0) {
        column[i - from] = value(i, row.first);
      } else {
        // bilinear, see stored_arguments.h
        const double mixed = (1 - s) * value(i, row.first) + (s * value(i, row.second) - apart);
        column[i - from] = std::max(mixed, 0.0);
      }
    }
  }

  const Data& x_;
  bool distances_;
  double mean_entries_;
  Vec norm2_, along_, reach_;  // |x_i - c|^2, u_i, |x_i| + |c|
};

}  // namespace dualmargin::kernel
