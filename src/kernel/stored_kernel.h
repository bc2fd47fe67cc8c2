// A kernel matrix in memory, in single or double precision.
#pragma once

#include <memory>
#include <vector>

#include "kernel/kernel_function.h"
#include "kernel/score_sum.h"
#include "kernel/stored_arguments.h"
#include "rows/gram.h"

namespace dualmargin::kernel {

template <class Scalar>
class StoredKernel final : public KernelMatrix {
 public:
  // Values that lie elsewhere, or that it keeps.
  StoredKernel(const Scalar* values, Index n) : n_(n), values_(values) {}
  StoredKernel(std::unique_ptr<Scalar[]> values, Index n)
      : n_(n), own_(std::move(values)), values_(own_.get()) {}

  Index n() const override { return n_; }
  double diagonal(Index i) const override { return row(i)[i]; }
  void add_row(Index i, double a, Vec& f) const override {
    for (Index j = 0; j < n_; ++j) f[j] += a * row(i)[j];
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    return std::make_unique<Block>(*this, rows, count);
  }
  KernelRow stored_row(Index i) const override { return {row(i)}; }
  double bytes() const override {
    return own_ ? sizeof(Scalar) * static_cast<double>(n_) * n_ : 0.0;
  }

 private:
  class Block final : public KernelBlock {
   public:
    Block(const StoredKernel& kernel, const Index* rows, Index count)
        : kernel_(kernel), rows_(rows, rows + count) {}

    void square(Mat& out) const override {
      const Index count = static_cast<Index>(rows_.size());
      out.resize(count, count);
      for (Index k = 0; k < count; ++k) {
        const Scalar* row = kernel_.row(rows_[k]);
        for (Index j = 0; j < count; ++j) out(j, k) = row[rows_[j]];
      }
    }
    void add(const ConstMatRef& coef, MatRef f) const override {
      ScoreSum<Scalar> sum(f);
      Index at[4];
      int held = 0;
      for (Index k = 0; k < coef.rows(); ++k) {
        if (coef.row(k).isZero(0)) continue;
        at[held++] = k;
        if (held < 4) continue;
        add_rows(at, held, coef, sum);
        held = 0;
      }
      add_rows(at, held, coef, sum);
      sum.flush();
    }

   private:
    // At most four, in one pass over the scores.
    void add_rows(const Index* at, int count, const ConstMatRef& coef,
                  ScoreSum<Scalar>& sum) const {
      using Column = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
      const Index n = kernel_.n_;
      const auto row = [&](int k) {
        return Eigen::Map<const Column>(kernel_.row(rows_[at[k]]), n);
      };
      for (Index c = 0; c < coef.cols(); ++c) {
        const auto a = [&](int k) { return static_cast<Scalar>(coef(at[k], c)); };
        Eigen::Map<Column> scores(sum.column(c), n);
        if (count == 4) {
          scores += (a(0) * row(0) + a(1) * row(1)) + (a(2) * row(2) + a(3) * row(3));
        } else {
          for (int k = 0; k < count; ++k) scores += a(k) * row(k);
        }
      }
      sum.added(count);
    }

    const StoredKernel& kernel_;
    std::vector<Index> rows_;
  };

  const Scalar* row(Index i) const { return values_ + i * n_; }

  Index n_;
  std::unique_ptr<Scalar[]> own_;
  const Scalar* values_;
};

}  // namespace dualmargin::kernel
