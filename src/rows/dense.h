// Dense samples, one after another: row i is values[i * p .. i * p + p), with the centres and scales
// of a frame, if there is one, then the bias if there is one.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "base/numeric.h"
#include "rows/column_frame.h"

namespace dualmargin {

// add_gram() of dense rows: panels of rows, so that the product runs at the speed of a matrix product.
template <class Data>
void add_panels(const Data& x, const Index* rows, const double* h, Index count,
                const std::vector<Index>& map, Mat& H) {
  constexpr Index width = 64;
  Mat panel(H.rows(), width);
  for (const double sign : {1.0, -1.0}) {
    Index filled = 0;
    const auto flush = [&] {
      if (filled > 0) H.selfadjointView<Eigen::Lower>().rankUpdate(panel.leftCols(filled), sign);
      filled = 0;
    };
    for (Index k = 0; k < count; ++k) {
      if (!(sign * h[k] > 0)) continue;
      const double scale = std::sqrt(sign * h[k]);
      x.for_each(rows[k], [&](Index j, double v) {
        if (map[j] >= 0) panel(map[j], filled) = scale * v;
      });
      if (++filled == width) flush();
    }
    flush();
  }
}

// What a Data type provides (i: sample; w: a primal vector of length dim())
//   n() dim()                  samples, coordinates of a primal vector
//   dot(i, w) axpy(i, a, w)    w'x_i;  w += a x_i
//   squared_norm(i)            |x_i|^2
//   for_each(i, f)             f(j, x_ij) over the stored coordinates of row i, the bias last
//   frame() in(frame)          the frame that entries are read in; the same rows in another one
//   inner(w, coef)             |w|^2 when w = sum_i coef_i x_i: w'w, or coef'w for a kernel's
//                              scores
//                              (in these three w may be a block of a longer vector, as a Map)
//   entry(i, k)                j and x_ij of the k-th stored coordinate of row i, the bias last; of
//                              rows in memory
//   nonzeros(i)                stored coordinates of row i, the bias included
//   place(i)                   how many stored coordinates lie before row i
//   entries(i)                 the values of row i, one after another, without the bias; of rows
//                              without a frame
//   for_each_place(i, f)       f(k, j): the k-th stored coordinate of row i is j, the bias last
//   dot_of(i, v, w)            sum_k v_k w_j over the same: w'x for other values v of row i
//   add_gram(rows, h, count, map, H)  H += sum_{k < count} h_k x_r x_r', r = rows[k], lower
//                              triangle, on the coordinates j with map[j] >= 0, at place map[j]
//   has_entries                is a row a list of entries, as a kernel's is not?
//   compressed                 of some columns only?
// The bias is a constant coordinate with a run-time value (0: none); no column is ever appended.
class Dense {
 public:
  static constexpr bool has_entries = true, compressed = false;

  Dense(const double* values, Index n, Index p, double bias,
        const ColumnFrame& frame = ColumnFrame())
      : values_(values), n_(n), p_(p), bias_(bias), framed_(!frame.none()), frame_(frame) {}

  Index n() const { return n_; }
  Index dim() const { return p_ + (bias_ != 0); }
  double bias() const { return bias_; }
  const ColumnFrame& frame() const { return frame_; }
  Dense in(const ColumnFrame& frame) const { return {values_, n_, p_, bias_, frame}; }
  Index nonzeros(Index) const { return dim(); }
  const double* values() const { return entries(0); }

  template <class W>
  double dot(Index i, const W& w) const {
    if (framed_) return framed_dot(i, w);
    const double z = row(i).dot(w.head(p_));
    return bias_ != 0 ? z + bias_ * w[p_] : z;
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    if (framed_) return framed_axpy(i, a, w);
    w.head(p_) += a * row(i);
    if (bias_ != 0) w[p_] += a * bias_;
  }
  double squared_norm(Index i) const {
    double s = 0;
    with_row(i, [&](const auto& x) { s = x.squaredNorm(); });
    return s + bias_ * bias_;
  }
  template <class W, class Coef>
  double inner(const W& w, const Coef&) const {
    return w.squaredNorm();
  }

  template <class F>
  void for_each(Index i, F f) const {
    for_each_of(i, 0, p_, f);
    if (bias_ != 0) f(p_, bias_);
  }
  template <class F>  // of columns from, ..., end - 1
  void for_each_of(Index i, Index from, Index end, F f) const {
    const double* x = values_ + i * p_;
    if (!framed_) {
      for (Index j = from; j < end; ++j) f(j, x[j]);
    } else {
      for (Index j = from; j < end; ++j) f(j, frame_.of(j, x[j]));
    }
  }

  std::pair<Index, double> entry(Index i, Index k) const {
    if (k == p_) return {p_, bias_};
    const double v = values_[i * p_ + k];
    return {k, framed_ ? frame_.of(k, v) : v};
  }

  Index place(Index i) const { return i * dim(); }
  const double* entries(Index i) const {
    if (framed_) throw std::logic_error("entries are not those of the columns in a frame");
    return values_ + i * p_;
  }
  template <class F>
  void for_each_place(Index, F f) const {
    const Index count = dim();
    for (Index k = 0; k < count; ++k) f(k, k);
  }
  double dot_of(Index, const double* v, const Vec& w) const {
    return Eigen::Map<const Vec>(v, dim()).dot(w);
  }

  void add_gram(const Index* rows, const double* h, Index count, const std::vector<Index>& map,
                Mat& H) const {
    add_panels(*this, rows, h, count, map, H);
  }

 private:
  Eigen::Map<const Vec> row(Index i) const { return {values_ + i * p_, p_}; }
  template <class F>  // f(the coordinates of row i, an expression of vectors)
  void with_row(Index i, F f) const {
    if (!framed_) return f(row(i));
    using Entries = Eigen::Map<const Vec>;
    if (frame_.scale == nullptr) return f(row(i) - Entries(frame_.centre, p_));
    const Entries scale(frame_.scale, p_);
    if (frame_.centre == nullptr) return f(row(i).cwiseQuotient(scale));
    f((row(i) - Entries(frame_.centre, p_)).cwiseQuotient(scale));
  }
  // Apart, so that the products without a frame stay as short as they are.
  template <class W>
  [[gnu::noinline]] double framed_dot(Index i, const W& w) const {
    double z = bias_ != 0 ? bias_ * w[p_] : 0.0;
    if (frame_.scale != nullptr) {
      with_row(i, [&](const auto& x) { z += x.dot(w.head(p_)); });
      return z;
    }
    for (const ColumnFrame::Run& run : *frame_.runs) {
      const Index count = run.end - run.begin;
      const auto x = part(values_ + i * p_, run);
      const auto v = w.segment(run.begin, count);
      z += run.moved ? (x - part(frame_.centre, run)).dot(v) : x.dot(v);
    }
    return z;
  }
  template <class W>
  [[gnu::noinline]] void framed_axpy(Index i, double a, W&& w) const {
    if (bias_ != 0) w[p_] += a * bias_;
    if (frame_.scale != nullptr) {
      with_row(i, [&](const auto& x) { w.head(p_) += a * x; });
      return;
    }
    for (const ColumnFrame::Run& run : *frame_.runs) {
      const auto x = part(values_ + i * p_, run);
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
  Index n_, p_;
  double bias_;
  bool framed_;  // else the products are without a frame
  ColumnFrame frame_;
};

template <class W>
class Pass<Dense, W> : public FramedPass<Dense, W> {
  using FramedPass<Dense, W>::FramedPass;
};

}  // namespace dualmargin
