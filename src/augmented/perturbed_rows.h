// Rows of the data as a perturbation shows them, a few at a time.
#pragma once

#include <algorithm>
#include <vector>

#include "augmented/perturbation.h"
#include "rows/typed_rows.h"

namespace dualmargin::augmented {

template <class Data>
class PerturbedRows {
 public:
  PerturbedRows(const TypedRows<Data>& x, const Perturbation& perturbation, std::uint64_t seed)
      : x_(x), perturbation_(perturbation), seed_(seed) {}

  // f(row, values) for every visit; values[k] belongs to the k-th stored coordinate of the row.
  template <class F>
  void each(const std::vector<Visit>& visits, F f) {
    const Index count = static_cast<Index>(visits.size());
    for (Index begin = 0; begin < count;) {
      rows_.clear();
      Index filled = 0, end = begin;
      do {
        const Index i = visits[end].row, length = x_.nonzeros(i);
        rows_.push_back({visits[end], filled, length - (x_.bias() != 0)});
        filled += length;
        ++end;
      } while (end < count && perturbation_.users_own() && filled < block);
      if (static_cast<Index>(values_.size()) < filled) values_.resize(filled);
      for (const PerturbedRow& r : rows_) {
        const double* x = x_.entries(r.at.row);
        std::copy(x, x + r.count, values_.data() + r.first);
        if (x_.bias() != 0) values_[r.first + r.count] = x_.bias();
      }
      perturbation_.apply(seed_, rows_, values_.data());
      for (const PerturbedRow& r : rows_) {
        f(r.at.row, static_cast<const double*>(values_.data()) + r.first);
      }
      begin = end;
    }
  }

 private:
  static constexpr Index block = 1 << 17;  // values that go into one call of a user's function

  const TypedRows<Data>& x_;
  const Perturbation& perturbation_;
  std::uint64_t seed_;
  std::vector<PerturbedRow> rows_;
  std::vector<double> values_;
};

}  // namespace dualmargin::augmented
