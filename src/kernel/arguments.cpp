#include "kernel/arguments.h"

#include <algorithm>

#include "rows/dense.h"
#include "rows/sparse.h"

namespace dualmargin::kernel {

namespace {

// The squared distance and the inner product of two rows, by their differences and entries: what
// |x|^2 + |y|^2 - 2 x'y cancels is not lost here.
double squared_distance(const Dense& x, Index i, Index j) {
  const Eigen::Map<const Vec> a(x.entries(i), x.dim()), b(x.entries(j), x.dim());
  return (a - b).squaredNorm();
}
double inner_product(const Dense& x, Index i, Index j) {
  const Eigen::Map<const Vec> a(x.entries(i), x.dim()), b(x.entries(j), x.dim());
  return a.dot(b);
}

// f(x_ik, x_jk) for every column k in which one of two sparse rows has an entry, the other 0.
template <class F>
void for_each_of_both(const Sparse& x, Index i, Index j, F f) {
  const int *a = x.columns_of(i), *b = x.columns_of(j);
  const int *a_end = a + x.nonzeros(i), *b_end = b + x.nonzeros(j);
  const double *u = x.entries(i), *v = x.entries(j);
  while (a != a_end && b != b_end) {
    if (*a == *b) {
      f(*u++, *v++);
      ++a, ++b;
    } else if (*a < *b) {
      f(*u++, 0.0);
      ++a;
    } else {
      f(0.0, *v++);
      ++b;
    }
  }
  for (; a != a_end; ++a) f(*u++, 0.0);
  for (; b != b_end; ++b) f(0.0, *v++);
}
double squared_distance(const Sparse& x, Index i, Index j) {
  double sum = 0;
  for_each_of_both(x, i, j, [&](double u, double v) { sum += (u - v) * (u - v); });
  return sum;
}
double inner_product(const Sparse& x, Index i, Index j) {
  double sum = 0;
  for_each_of_both(x, i, j, [&](double u, double v) { sum += u * v; });
  return sum;
}

// Y'x_i for the rows x_i in [from, until), where the rows of Y' are given as columns; neither has a
// bias coordinate; the places of a column are `stride` apart from those of the next. Dense rows by
// a matrix product, sparse ones entry by entry for all of Y at once.
using ColumnBlock = Eigen::Map<Mat, 0, Eigen::OuterStride<>>;

void inner_products(const Dense& X, const Mat& Y, Index from, Index until, ColumnBlock out) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> rows(X.values() + from * X.dim(), until - from, X.dim());
  if (Y.cols() == 1) {
    out.col(0).noalias() = rows * Y.col(0);
  } else {
    out.noalias() = rows * Y;
  }
}
// features: Y, row after row
void inner_products(const Sparse& X, const Mat& features, Index from, Index until,
                    ColumnBlock out) {
  Vec sum(features.rows());
  for (Index i = from; i < until; ++i) {
    sum.setZero();
    X.for_each(i, [&](Index j, double x) { sum += x * features.col(j); });
    out.row(i - from) = sum;
  }
}
const Mat& as_factor(const Dense&, const Mat& Y) { return Y; }
Mat as_factor(const Sparse&, const Mat& Y) { return Y.transpose(); }

// The rows may have another origin c than they are stored with, so that sparse ones stay sparse:
//
//   (x - c)'(y - c) = x'y - u_x - u_y,   u_x = c'x - |c|^2 / 2.
template <class Data>
class ComputedArguments final : public Arguments {
 public:
  ComputedArguments(const Data& x, bool distances, Team& team, const Vec& origin)
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

}  // namespace

void Arguments::rows(const Mixture* rows, Index count, Index from,
                     ArgumentRows<double>& out) const {
  out.own.resize(n() - from, count);
  columns(rows, count, from, out.own.data());
  out.row.resize(count);
  for (Index k = 0; k < count; ++k) out.row[k] = out.own.data() + k * out.own.rows();
}

std::unique_ptr<Arguments> computed_arguments(const Storage& x, bool distances, Team& team,
                                              const Vec& origin) {
  if (const auto* dense = dynamic_cast<const Dense*>(&x)) {
    return std::make_unique<ComputedArguments<Dense>>(*dense, distances, team, origin);
  }
  return std::make_unique<ComputedArguments<Sparse>>(dynamic_cast<const Sparse&>(x), distances,
                                                     team, origin);
}

}  // namespace dualmargin::kernel
