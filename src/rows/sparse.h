// Sparse samples in compressed rows (CSR): row i owns entries [start[i], start[i + 1]), with
// columns ascending, and with the centres and scales of a frame, if there is one. The members are
// explained in dense.h; each costs O(nonzeros of the row).
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/numeric.h"
#include "rows/column_frame.h"
#include "rows/storage.h"

namespace dualmargin {

class Sparse final : public Storage {
 public:
  static constexpr bool compressed = true;

  Sparse(const Start* start, const int* column, const double* value, Index n, Index p, double bias,
         const ColumnFrame& frame = ColumnFrame())
      : Storage(n, p, bias, start),
        column_(column),
        value_(value),
        framed_(!frame.none()),
        frame_(frame) {}

  const ColumnFrame& frame() const { return frame_; }
  Sparse in(const ColumnFrame& frame) const {
    return {start_, column_, value_, n_, columns_, bias_, frame};
  }

  template <class W>
  double dot(Index i, const W& w) const {
    if (framed_) return framed_dot(i, w);
    double z = bias_ != 0 ? bias_ * w[columns_] : 0.0;
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) z += value_[k] * w[column_[k]];
    return z;
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    if (framed_) return framed_axpy(i, a, w);
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) w[column_[k]] += a * value_[k];
    if (bias_ != 0) w[columns_] += a * bias_;
  }
  double squared_norm(Index i) const {
    double s = bias_ * bias_;
    visit(i, [&](Start, double v) { s += v * v; });
    return s;
  }
  template <class F>
  void for_each(Index i, F f) const {
    visit(i, [&](Start k, double v) { f(Index(column_[k]), v); });
    if (bias_ != 0) f(columns_, bias_);
  }

  std::pair<Index, double> entry(Index i, Index k) const {
    const Start place = start_[i] + k;
    if (place == start_[i + 1]) return {columns_, bias_};
    const Index j = column_[place];
    return {j, framed_ ? frame_.of(j, value_[place]) : value_[place]};
  }

  const double* entries(Index i) const {
    if (framed_) throw std::logic_error("entries are not those of the columns in a frame");
    return value_ + start_[i];
  }
  const int* columns_of(Index i) const { return column_ + start_[i]; }

  double row_dot(Index i, const double* w) const override;
  void row_axpy(Index i, double a, double* w) const override;
  double row_square(Index i) const override;
  void read_row(Index i, FunctionRef<void(const RowPiece&)> f) const override;
  std::unique_ptr<PassLoops> pass(const double* w) const override;
  Mat products(const std::vector<Index>& rows, const Vec& metric, Team& team,
               Tick& tick) const override;

 private:
  template <class F>  // f(k, the coordinate in place k)
  void visit(Index i, F f) const {
    const Start end = start_[i + 1];
    if (!framed_) {
      for (Start k = start_[i]; k < end; ++k) f(k, value_[k]);
    } else if (frame_.scale == nullptr) {
      for (Start k = start_[i]; k < end; ++k) f(k, value_[k] - frame_.centre[column_[k]]);
    } else {
      for (Start k = start_[i]; k < end; ++k) {
        const int j = column_[k];
        const double centre = frame_.centre != nullptr ? frame_.centre[j] : 0.0;
        f(k, (value_[k] - centre) / frame_.scale[j]);
      }
    }
  }
  // Apart, so that the loops without a frame stay as short as they are.
  template <class W>
  [[gnu::noinline]] double framed_dot(Index i, const W& w) const {
    double z = bias_ != 0 ? bias_ * w[columns_] : 0.0;
    visit(i, [&](Start k, double v) { z += v * w[column_[k]]; });
    return z;
  }
  template <class W>
  [[gnu::noinline]] void framed_axpy(Index i, double a, W&& w) const {
    visit(i, [&](Start k, double v) { w[column_[k]] += a * v; });
    if (bias_ != 0) w[columns_] += a * bias_;
  }

  const int* column_;
  const double* value_;
  bool framed_;  // else the loops are without a frame
  ColumnFrame frame_;
};

}  // namespace dualmargin
