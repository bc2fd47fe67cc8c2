// Sparse samples in compressed rows (CSR): row i owns entries [start[i], start[i + 1]), with
// columns ascending, and with the centres and scales of a frame, if there is one. The members are
// explained in dense.h; each costs O(nonzeros of the row).
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "base/numeric.h"
#include "rows/column_frame.h"

namespace dualmargin {

class Sparse {
 public:
  static constexpr bool has_entries = true, compressed = true;

  Sparse(const Start* start, const int* column, const double* value, Index n, Index p, double bias,
         const ColumnFrame& frame = ColumnFrame())
      : start_(start),
        column_(column),
        value_(value),
        n_(n),
        p_(p),
        bias_(bias),
        framed_(!frame.none()),
        frame_(frame) {}

  Index n() const { return n_; }
  Index dim() const { return p_ + (bias_ != 0); }
  double bias() const { return bias_; }
  const ColumnFrame& frame() const { return frame_; }
  Sparse in(const ColumnFrame& frame) const {
    return {start_, column_, value_, n_, p_, bias_, frame};
  }
  Index nonzeros(Index i) const { return start_[i + 1] - start_[i] + (bias_ != 0); }

  template <class W>
  double dot(Index i, const W& w) const {
    if (framed_) return framed_dot(i, w);
    double z = bias_ != 0 ? bias_ * w[p_] : 0.0;
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) z += value_[k] * w[column_[k]];
    return z;
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    if (framed_) return framed_axpy(i, a, w);
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) w[column_[k]] += a * value_[k];
    if (bias_ != 0) w[p_] += a * bias_;
  }
  double squared_norm(Index i) const {
    double s = bias_ * bias_;
    visit(i, [&](Start, double v) { s += v * v; });
    return s;
  }
  template <class W, class Coef>
  double inner(const W& w, const Coef&) const {
    return w.squaredNorm();
  }

  template <class F>
  void for_each(Index i, F f) const {
    visit(i, [&](Start k, double v) { f(Index(column_[k]), v); });
    if (bias_ != 0) f(p_, bias_);
  }

  std::pair<Index, double> entry(Index i, Index k) const {
    const Start place = start_[i] + k;
    if (place == start_[i + 1]) return {p_, bias_};
    const Index j = column_[place];
    return {j, framed_ ? frame_.of(j, value_[place]) : value_[place]};
  }

  Index place(Index i) const { return start_[i] - start_[0] + i * (bias_ != 0); }
  const double* entries(Index i) const {
    if (framed_) throw std::logic_error("entries are not those of the columns in a frame");
    return value_ + start_[i];
  }
  const int* columns(Index i) const { return column_ + start_[i]; }
  template <class F>
  void for_each_place(Index i, F f) const {
    const int* column = column_ + start_[i];
    const Index count = start_[i + 1] - start_[i];
    for (Index k = 0; k < count; ++k) f(k, Index(column[k]));
    if (bias_ != 0) f(count, p_);
  }
  double dot_of(Index i, const double* v, const Vec& w) const {
    double z = 0;
    for_each_place(i, [&](Index k, Index j) { z += v[k] * w[j]; });
    return z;
  }

  // One outer product a row; `map` keeps the order of the columns, so only the lower triangle is
  // hit. Of `parts` threads with the same rows each fills every parts-th column of H.
  void add_gram(const Index* rows, const double* h, Index count, const std::vector<Index>& map,
                Mat& H, Index part = 0, Index parts = 1) const {
    std::vector<std::pair<Index, double>> entries;
    for (Index k = 0; k < count; ++k) {
      if (h[k] == 0) continue;
      entries.clear();
      for_each(rows[k], [&](Index j, double x) {
        if (map[j] >= 0) entries.emplace_back(map[j], x);
      });
      for (std::size_t s = 0; s < entries.size(); ++s) {
        if (parts > 1 && entries[s].first % parts != part) continue;
        double* column = H.data() + entries[s].first * H.rows();
        const double scaled = h[k] * entries[s].second;
        for (std::size_t t = s; t < entries.size(); ++t) {
          column[entries[t].first] += scaled * entries[t].second;
        }
      }
    }
  }

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
    double z = bias_ != 0 ? bias_ * w[p_] : 0.0;
    visit(i, [&](Start k, double v) { z += v * w[column_[k]]; });
    return z;
  }
  template <class W>
  [[gnu::noinline]] void framed_axpy(Index i, double a, W&& w) const {
    visit(i, [&](Start k, double v) { w[column_[k]] += a * v; });
    if (bias_ != 0) w[p_] += a * bias_;
  }

  const Start* start_;
  const int* column_;
  const double* value_;
  Index n_, p_;
  double bias_;
  bool framed_;  // else the loops are without a frame
  ColumnFrame frame_;
};

template <class W>
class Pass<Sparse, W> : public FramedPass<Sparse, W> {
  using FramedPass<Sparse, W>::FramedPass;
};

}  // namespace dualmargin
