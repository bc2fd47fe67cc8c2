// The kernel matrix of original and mixed rows together, its values computed row by row from the
// arguments between original rows alone. A mixture x = (1 - s) x_i + s x_j is bilinear in them:
//
//   x'z       = (1 - s) x_i'z       + s x_j'z
//   |x - z|^2 = (1 - s) |x_i - z|^2 + s |x_j - z|^2 - s (1 - s) |x_i - x_j|^2
//
// for any z, and so again where z is a mixture.
#pragma once

#include <vector>

#include "data/gram.h"
#include "kernel/arguments.h"
#include "kernel/kernel_function.h"
#include "kernel/mixed_rows.h"
#include "kernel/stored_kernel.h"

namespace dualmargin {

template <class Scalar>
class MixtureKernel final : public KernelMatrix {
 public:
  MixtureKernel(const Arguments& arguments, const MixedRows& rows, const KernelFunction& kernel)
      : arguments_(arguments), rows_(rows), kernel_(kernel), shift_(rows.mixed(), 0.0) {
    for (Index k = 0; kernel.isotropic() && k < rows.mixed(); ++k) {
      const double s = rows.share[k];
      shift_[k] = s * (1 - s) * arguments.pair(rows.first[k], rows.second[k]);
    }
    diagonal_ = Vec::Zero(n());
    for (Index i = 0; !kernel.isotropic() && i < n(); ++i) {
      const Index first = rows.first_of(i), second = rows.second_of(i);
      const double s = rows.share_of(i);
      diagonal_[i] = (1 - s) * (1 - s) * arguments.pair(first, first);
      if (s == 0) continue;
      diagonal_[i] +=
          2 * s * (1 - s) * arguments.pair(first, second) + s * s * arguments.pair(second, second);
    }
    kernel_.apply(diagonal_.data(), n());
  }

  Index n() const override { return rows_.n(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  void add_row(Index i, double a, Vec& f) const override {
    Block(*this, &i, 1).add(Mat::Constant(1, 1, a), f);
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    return std::make_unique<Block>(*this, rows, count);
  }
  double bytes() const override { return arguments_.bytes(); }
  // out = K(., rows)
  void columns(const Index* rows, Index count,
               Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& out) const {
    Block(*this, rows, count).copy_to(out);
  }

 private:
  using Column = std::vector<Scalar>;

  double shift(Index i) const { return rows_.is_mixed(i) ? shift_[i - rows_.originals] : 0.0; }

  class Block final : public KernelBlock {
   public:
    Block(const MixtureKernel& whole, const Index* rows, Index count)
        : whole_(whole), rows_(rows, rows + count) {}

    void square(Mat& out) const override {
      const Index count = static_cast<Index>(rows_.size());
      fetch();
      out.resize(count, count);
      for (Index k = 0; k < count; ++k) {
        for (Index j = 0; j <= k; ++j) out(j, k) = entry(k, rows_[j]);
      }
      whole_.kernel_.apply(out.data(), count * count);
      for (Index k = 0; k < count; ++k) {
        out(k, k) = whole_.diagonal_[rows_[k]];
        for (Index j = 0; j < k; ++j) out(k, j) = out(j, k);
      }
    }
    void add(const ConstMatRef& coef, MatRef f) const override {
      constexpr Index group = 4;
      const Index count = static_cast<Index>(rows_.size()), n = whole_.n();
      fetch();
      Column values(std::min(group, count) * n);
      const Scalar* rows[group];
      Index at[group];
      int held = 0;
      for (Index k = 0; k < count; ++k) {
        if (coef.row(k).isZero(0)) continue;
        Scalar* row = values.data() + held * n;
        values_of(k, row);
        rows[held] = row;
        at[held++] = k;
        if (held < group) continue;
        add_rows(rows, at, held, coef, f);
        held = 0;
      }
      add_rows(rows, at, held, coef, f);
    }

    // Column k of out: row k.
    void copy_to(Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& out) const {
      fetch();
      out.resize(whole_.n(), static_cast<Index>(rows_.size()));
      for (Index k = 0; k < out.cols(); ++k) values_of(k, out.col(k).data());
    }

   private:
    void values_of(Index k, Scalar* out) const {
      arguments_of(k, out);
      whole_.kernel_.apply(out, whole_.n());
      out[rows_[k]] = static_cast<Scalar>(whole_.diagonal_[rows_[k]]);
    }

    // Arguments of the parents of the rows with all originals: two columns a row, the second only
    // where the row is mixed.
    void fetch() const {
      if (!first_at_.empty()) return;
      const Index count = static_cast<Index>(rows_.size());
      std::vector<Index> parents;
      first_at_.resize(count);
      second_at_.resize(count);
      for (Index k = 0; k < count; ++k) {
        first_at_[k] = second_at_[k] = static_cast<Index>(parents.size());
        parents.push_back(whole_.rows_.first_of(rows_[k]));
        if (!whole_.rows_.is_mixed(rows_[k])) continue;
        second_at_[k] = static_cast<Index>(parents.size());
        parents.push_back(whole_.rows_.second_of(rows_[k]));
      }
      const Index m = static_cast<Index>(parents.size());
      columns_.resize(whole_.rows_.originals * m);
      whole_.arguments_.columns(parents.data(), m, 0, columns_.data());
    }

    // Row k's argument with row j.
    double entry(Index k, Index j) const {
      const MixedRows& all = whole_.rows_;
      const double s = all.share_of(j), first = half(k, all.first_of(j));
      if (s == 0) return first - whole_.shift(j);
      return (1 - s) * first + s * half(k, all.second_of(j)) - whole_.shift(j);
    }
    double half(Index k, Index original) const {
      const Index n0 = whole_.rows_.originals;
      const double s = whole_.rows_.share_of(rows_[k]);
      const double first = columns_[first_at_[k] * n0 + original];
      if (s == 0) return first - whole_.shift(rows_[k]);
      return (1 - s) * first + s * columns_[second_at_[k] * n0 + original] - whole_.shift(rows_[k]);
    }

    // Row k's arguments with every row, mixed ones included.
    void arguments_of(Index k, Scalar* out) const {
      const MixedRows& all = whole_.rows_;
      const Index i = rows_[k], n0 = all.originals;
      const Scalar* first = columns_.data() + first_at_[k] * n0;
      const Scalar* second = columns_.data() + second_at_[k] * n0;
      if (!all.is_mixed(i)) {
        std::copy(first, first + n0, out);
      } else {
        const Scalar s = static_cast<Scalar>(all.share_of(i));
        const Scalar rest = 1 - s, shift = static_cast<Scalar>(whole_.shift(i));
        for (Index j = 0; j < n0; ++j) out[j] = rest * first[j] + s * second[j] - shift;
      }
      for (Index j = 0; j < all.mixed(); ++j) {
        const Scalar s = static_cast<Scalar>(all.share[j]);
        out[n0 + j] = (1 - s) * out[all.first[j]] + s * out[all.second[j]] -
                      static_cast<Scalar>(whole_.shift_[j]);
      }
    }

    const MixtureKernel& whole_;
    std::vector<Index> rows_;
    mutable std::vector<Index> first_at_, second_at_;
    mutable Column columns_;
  };

  const Arguments& arguments_;
  const MixedRows& rows_;
  KernelFunction kernel_;
  std::vector<double> shift_;
  Vec diagonal_;
};

}  // namespace dualmargin
