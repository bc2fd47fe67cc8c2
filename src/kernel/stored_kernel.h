// A kernel matrix in memory, in single or double precision.
#pragma once

#include <vector>

#include "data/gram.h"
#include "kernel/arguments.h"
#include "kernel/kernel_function.h"

namespace dualmargin {

// f += a_0 k_0 + ... + a_3 k_3, one pass over f for four rows.
template <class Scalar>
void add_four(const Scalar* const* k, const double* a, Index n, double* f) {
  const Scalar *k0 = k[0], *k1 = k[1], *k2 = k[2], *k3 = k[3];
  const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  for (Index i = 0; i < n; ++i) f[i] += (a0 * k0[i] + a1 * k1[i]) + (a2 * k2[i] + a3 * k3[i]);
}
template <class Scalar>
void add_one(const Scalar* k, double a, Index n, double* f) {
  for (Index i = 0; i < n; ++i) f[i] += a * k[i];
}
// f += sum_k rows_k coef(at_k, .) for at most four rows.
template <class Scalar>
void add_rows(const Scalar* const* rows, const Index* at, int count, const ConstMatRef& coef,
              MatRef& f) {
  for (Index c = 0; c < f.cols(); ++c) {
    double a[4];
    for (int k = 0; k < count; ++k) a[k] = coef(at[k], c);
    double* column = f.col(c).data();
    if (count == 4) {
      add_four(rows, a, f.rows(), column);
    } else {
      for (int k = 0; k < count; ++k) add_one(rows[k], a[k], f.rows(), column);
    }
  }
}

template <class Scalar>
class StoredKernel final : public KernelMatrix {
 public:
  // Values that lie elsewhere, or that it keeps.
  StoredKernel(const Scalar* values, Index n) : n_(n), values_(values) {}
  StoredKernel(std::vector<Scalar> values, Index n)
      : n_(n), own_(std::move(values)), values_(own_.data()) {}

  Index n() const override { return n_; }
  double diagonal(Index i) const override { return values_[i * n_ + i]; }
  void add_row(Index i, double a, Vec& f) const override {
    add_one(values_ + i * n_, a, n_, f.data());
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    return std::make_unique<Block>(*this, rows, count);
  }
  KernelRow stored_row(Index i) const override { return {values_ + i * n_}; }
  double bytes() const override { return sizeof(Scalar) * static_cast<double>(own_.size()); }

 private:
  class Block final : public KernelBlock {
   public:
    Block(const StoredKernel& kernel, const Index* rows, Index count)
        : kernel_(kernel), rows_(rows, rows + count) {}

    void square(Mat& out) const override {
      const Index count = static_cast<Index>(rows_.size());
      out.resize(count, count);
      for (Index k = 0; k < count; ++k) {
        const Scalar* row = kernel_.values_ + rows_[k] * kernel_.n_;
        for (Index j = 0; j < count; ++j) out(j, k) = row[rows_[j]];
      }
    }
    void add(const ConstMatRef& coef, MatRef f) const override {
      const Scalar* rows[4];
      Index at[4];
      int held = 0;
      for (Index k = 0; k < static_cast<Index>(rows_.size()); ++k) {
        if (coef.row(k).isZero(0)) continue;
        rows[held] = kernel_.values_ + rows_[k] * kernel_.n_;
        at[held++] = k;
        if (held < 4) continue;
        add_rows(rows, at, held, coef, f);
        held = 0;
      }
      add_rows(rows, at, held, coef, f);
    }

   private:
    const StoredKernel& kernel_;
    std::vector<Index> rows_;
  };

  Index n_;
  std::vector<Scalar> own_;
  const Scalar* values_;
};

// All values of a kernel between the original rows.
template <class Scalar>
StoredKernel<Scalar> stored_kernel(const Arguments& source, const KernelFunction& kernel,
                                   Monitor& monitor) {
  const Index n = source.n();
  std::vector<Scalar> values = square_array<Scalar>(source, monitor);
  for (Index i = 0; i < n; ++i) {
    kernel.apply(values.data() + i * n, n);
    monitor.tick_rows(i);
  }
  return StoredKernel<Scalar>(std::move(values), n);
}

}  // namespace dualmargin
