// Rows of the data as a perturbation shows them, a few at a time.
#pragma once

#include <vector>

#include "augmented/perturbation.h"
#include "base/function_ref.h"
#include "rows/rows.h"

namespace dualmargin::augmented {

// The values of a row, where the k-th belongs to its k-th stored coordinate, the bias last.
class ShownRow {
 public:
  ShownRow(const Storage& x, const int* columns, const double* values, Index count)
      : all_(!x.is_sparse()),
        columns_(columns),
        values_(values),
        count_(count),
        bias_(x.bias() != 0 ? x.columns() : -1) {}

  double operator[](Index k) const { return values_[k]; }
  Eigen::Map<const Vec> values() const { return {values_, count_ + (bias_ >= 0)}; }
  template <class F>  // f(k, j): the k-th coordinate is j
  void for_each_place(F f) const {
    if (all_) {
      for (Index k = 0; k < count_; ++k) f(k, k);
    } else {
      for (Index k = 0; k < count_; ++k) f(k, Index(columns_[k]));
    }
    if (bias_ >= 0) f(count_, bias_);
  }
  double dot(const Vec& w) const {
    if (all_) return values().dot(w);
    double z = 0;
    for_each_place([&](Index k, Index j) { z += values_[k] * w[j]; });
    return z;
  }

 private:
  bool all_;  // of all columns; else of those named
  const int* columns_;
  const double* values_;
  Index count_, bias_;  // without the bias; its column, or -1
};

class PerturbedRows {
 public:
  PerturbedRows(const Rows& x, const Perturbation& perturbation, std::uint64_t seed)
      : x_(x), perturbation_(perturbation), seed_(seed) {}

  // f(row, values) for every visit
  using Show = FunctionRef<void(Index, const ShownRow&)>;
  void each(const std::vector<Visit>& visits, Show f);

 private:
  const Rows& x_;
  const Perturbation& perturbation_;
  std::uint64_t seed_;
  std::vector<PerturbedRow> rows_;
  std::vector<const int*> columns_;  // of each of them
  std::vector<double> values_;
};

}  // namespace dualmargin::augmented
