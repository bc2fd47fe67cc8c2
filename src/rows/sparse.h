// Sparse samples in compressed rows (CSR): row i owns entries [start[i], start[i + 1]), with
// columns ascending. The members are explained in dense.h; each costs O(nonzeros of the row).
#pragma once

#include <utility>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

class Sparse {
 public:
  static constexpr bool has_entries = true;

  Sparse(const Start* start, const int* column, const double* value, Index n, Index p, double bias)
      : start_(start), column_(column), value_(value), n_(n), p_(p), bias_(bias) {}

  Index n() const { return n_; }
  Index dim() const { return p_ + (bias_ != 0); }
  double bias() const { return bias_; }
  Index nonzeros(Index i) const { return start_[i + 1] - start_[i] + (bias_ != 0); }

  template <class W>
  double dot(Index i, const W& w) const {
    double z = bias_ != 0 ? bias_ * w[p_] : 0.0;
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) z += value_[k] * w[column_[k]];
    return z;
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) w[column_[k]] += a * value_[k];
    if (bias_ != 0) w[p_] += a * bias_;
  }
  double squared_norm(Index i) const {
    double s = bias_ * bias_;
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) s += value_[k] * value_[k];
    return s;
  }
  template <class W, class Coef>
  double inner(const W& w, const Coef&) const {
    return w.squaredNorm();
  }

  template <class F>
  void for_each(Index i, F f) const {
    for (Start k = start_[i], end = start_[i + 1]; k < end; ++k) f(Index(column_[k]), value_[k]);
    if (bias_ != 0) f(p_, bias_);
  }

  Index place(Index i) const { return start_[i] + i * (bias_ != 0); }
  const double* entries(Index i) const { return value_ + start_[i]; }
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
  const Start* start_;
  const int* column_;
  const double* value_;
  Index n_, p_;
  double bias_;
};

}  // namespace dualmargin
