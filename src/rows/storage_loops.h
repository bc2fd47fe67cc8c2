// What the storages have in common, for their own .cpp files: the loops of a pass over rows in a
// frame, and the reading of such rows.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "rows/column_frame.h"
#include "rows/storage.h"

namespace dualmargin {

// Loops of a pass: `Reader` has dot(i), axpy(i, a, sums), for_each(i, f) and divided(sums).
template <class Reader>
class LoopsOf final : public PassLoops {
 public:
  template <class... Args>
  explicit LoopsOf(Args&&... args) : rows_(std::forward<Args>(args)...) {}

  void multiply(const Index* id, Index begin, Index end, double* z) const override {
    for (Index k = begin; k < end; ++k) z[k - begin] = rows_.dot(id == nullptr ? k : id[k]);
  }
  void add(const Index* id, Index begin, Index end, const double* coef, Vec& sums) const override {
    for (Index k = begin; k < end; ++k) {
      if (coef[k - begin] != 0) rows_.axpy(id == nullptr ? k : id[k], coef[k - begin], sums);
    }
  }
  void add_squares(const Index* id, Index begin, Index end, const double* coef,
                   Vec& sums) const override {
    for (Index k = begin; k < end; ++k) {
      const double c = coef[k - begin];
      if (c == 0) continue;
      rows_.for_each(id == nullptr ? k : id[k], [&](Index j, double v) { sums[j] += c * v * v; });
    }
  }
  Vec divided(Vec sums) const override { return rows_.divided(std::move(sums)); }

 private:
  Reader rows_;
};

// The rows of x, in memory, before the division by the columns' scales.
template <class D>
class FramedReader {
 public:
  FramedReader(const D& x, const double* w)
      : scale_(x.frame(), x.columns()), x_(x.in(scale_.left())) {
    scale_.take(w, x.dim());
  }

  double dot(Index i) const { return x_.dot(i, Eigen::Map<const Vec>(scale_.weights(), x_.dim())); }
  void axpy(Index i, double a, Vec& sums) const { x_.axpy(i, a, sums); }
  template <class F>
  void for_each(Index i, F f) const {
    x_.for_each(i, f);
  }
  Vec divided(Vec sums) const { return scale_.divided(std::move(sums)); }
  double divided(Index j, double v) const { return scale_.divided(j, v); }

 private:
  PassScale scale_;
  D x_;
};

// f(piece) for `count` values in a frame, of the columns named, or of 0, 1, ... where none are, and
// for the bias.
inline void read_framed(const int* column, const double* value, Index count,
                        const ColumnFrame& frame, FunctionRef<void(const RowPiece&)> f) {
  if (frame.none()) return f({column, 0, value, count});
  constexpr Index width = 256;
  double read[width];
  for (Index first = 0; first < count; first += width) {
    const Index here = std::min(width, count - first);
    for (Index k = 0; k < here; ++k) {
      const Index place = first + k;
      read[k] = frame.of(column == nullptr ? place : Index(column[place]), value[place]);
    }
    f({column == nullptr ? nullptr : column + first, first, read, here});
  }
}
inline void read_bias(const Storage& x, FunctionRef<void(const RowPiece&)> f) {
  const double bias = x.bias();
  if (bias != 0) f({nullptr, x.columns(), &bias, 1});
}

}  // namespace dualmargin
