// Dense samples, one after another: row i is values[i * p .. i * p + p), with the centres and scales
// of a frame, if there is one, then the bias if there is one.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/numeric.h"
#include "rows/column_frame.h"
#include "rows/storage.h"

namespace dualmargin {

// What a storage provides beside what Storage asks, for methods that draw rows one by one (i: a row,
// w: a vector of length dim(), or a part of a longer one, as a Map)
//   dot(i, w) axpy(i, a, w)    w'x_i;  w += a x_i
//   squared_norm(i)            |x_i|^2
//   for_each(i, f)             f(j, x_ij) over the stored coordinates of row i, the bias last
//   frame() in(frame)          the frame that entries are read in; the same rows in another one
//   entry(i, k)                j and x_ij of the k-th stored coordinate of row i, the bias last; of
//                              rows in memory
//   entries(i)                 the values of row i, one after another, without the bias; of rows
//                              without a frame
//   compressed                 of some columns only?
class Dense : public Storage {
 public:
  static constexpr bool compressed = false;

  Dense(const double* values, Index n, Index p, double bias,
        const ColumnFrame& frame = ColumnFrame())
      : Storage(n, p, bias, nullptr), values_(values), framed_(!frame.none()), frame_(frame) {}

  const ColumnFrame& frame() const { return frame_; }
  Dense in(const ColumnFrame& frame) const { return {values_, n_, columns_, bias_, frame}; }
  const double* values() const { return entries(0); }

  template <class W>
  double dot(Index i, const W& w) const {
    if (framed_) return framed_dot(i, w);
    const double z = row(i).dot(w.head(columns_));
    return bias_ != 0 ? z + bias_ * w[columns_] : z;
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    if (framed_) return framed_axpy(i, a, w);
    w.head(columns_) += a * row(i);
    if (bias_ != 0) w[columns_] += a * bias_;
  }
  double squared_norm(Index i) const {
    double s = 0;
    with_row(i, [&](const auto& x) { s = x.squaredNorm(); });
    return s + bias_ * bias_;
  }
  template <class F>
  void for_each(Index i, F f) const {
    for_each_of(i, 0, columns_, f);
    if (bias_ != 0) f(columns_, bias_);
  }
  template <class F>  // of columns from, ..., end - 1
  void for_each_of(Index i, Index from, Index end, F f) const {
    const double* x = values_ + i * columns_;
    if (!framed_) {
      for (Index j = from; j < end; ++j) f(j, x[j]);
    } else {
      for (Index j = from; j < end; ++j) f(j, frame_.of(j, x[j]));
    }
  }

  std::pair<Index, double> entry(Index i, Index k) const {
    if (k == columns_) return {columns_, bias_};
    const double v = values_[i * columns_ + k];
    return {k, framed_ ? frame_.of(k, v) : v};
  }

  const double* entries(Index i) const {
    if (framed_) throw std::logic_error("entries are not those of the columns in a frame");
    return values_ + i * columns_;
  }

  double row_dot(Index i, const double* w) const override;
  void row_axpy(Index i, double a, double* w) const override;
  double row_square(Index i) const override;
  void read_row(Index i, FunctionRef<void(const RowPiece&)> f) const override;
  std::unique_ptr<PassLoops> pass(const double* w) const override;
  Mat products(const std::vector<Index>& rows, const Vec& metric, Team& team,
               Tick& tick) const override;

 private:
  Eigen::Map<const Vec> row(Index i) const { return {values_ + i * columns_, columns_}; }
  template <class F>  // f(the coordinates of row i, an expression of vectors)
  void with_row(Index i, F f) const {
    if (!framed_) return f(row(i));
    using Entries = Eigen::Map<const Vec>;
    if (frame_.scale == nullptr) return f(row(i) - Entries(frame_.centre, columns_));
    const Entries scale(frame_.scale, columns_);
    if (frame_.centre == nullptr) return f(row(i).cwiseQuotient(scale));
    f((row(i) - Entries(frame_.centre, columns_)).cwiseQuotient(scale));
  }
  // Apart, so that the products without a frame stay as short as they are.
  template <class W>
  [[gnu::noinline]] double framed_dot(Index i, const W& w) const {
    double z = bias_ != 0 ? bias_ * w[columns_] : 0.0;
    if (frame_.scale != nullptr) {
      with_row(i, [&](const auto& x) { z += x.dot(w.head(columns_)); });
      return z;
    }
    for (const ColumnFrame::Run& run : *frame_.runs) {
      const Index count = run.end - run.begin;
      const auto x = part(values_ + i * columns_, run);
      const auto v = w.segment(run.begin, count);
      z += run.moved ? (x - part(frame_.centre, run)).dot(v) : x.dot(v);
    }
    return z;
  }
  template <class W>
  [[gnu::noinline]] void framed_axpy(Index i, double a, W&& w) const {
    if (bias_ != 0) w[columns_] += a * bias_;
    if (frame_.scale != nullptr) {
      with_row(i, [&](const auto& x) { w.head(columns_) += a * x; });
      return;
    }
    for (const ColumnFrame::Run& run : *frame_.runs) {
      const auto x = part(values_ + i * columns_, run);
      auto v = w.segment(run.begin, run.end - run.begin);
      if (run.moved) {
        v += a * (x - part(frame_.centre, run));
      } else {
        v += a * x;
      }
    }
  }
  static Eigen::Map<const Vec> part(const double* columns, const ColumnFrame::Run& run) {
    return {columns + run.begin, run.end - run.begin};
  }

  const double* values_;
  bool framed_;  // else the products are without a frame
  ColumnFrame frame_;
};

}  // namespace dualmargin
