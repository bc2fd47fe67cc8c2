// Some of the rows of a data set, in place: row k is row rows[k] of the whole. The members are
// explained in dense.h.
#pragma once

#include <utility>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

template <class Data>
class Subset {
 public:
  static constexpr bool has_entries = Data::has_entries;

  Subset(const Data& whole, std::vector<Index> rows) : whole_(whole), rows_(std::move(rows)) {}

  Index n() const { return static_cast<Index>(rows_.size()); }
  Index dim() const { return whole_.dim(); }
  Index nonzeros(Index k) const { return whole_.nonzeros(rows_[k]); }
  double dot(Index k, const Vec& w) const { return whole_.dot(rows_[k], w); }
  void axpy(Index k, double a, Vec& w) const { whole_.axpy(rows_[k], a, w); }
  double squared_norm(Index k) const { return whole_.squared_norm(rows_[k]); }
  double inner(const Vec& w, const Vec& coef) const { return whole_.inner(w, coef); }

  template <class F>
  void for_each(Index k, F f) const {
    whole_.for_each(rows_[k], f);
  }

  void add_gram(const Index* some, const double* h, Index count, const std::vector<Index>& map,
                Mat& H) const {
    std::vector<Index> rows(count);
    for (Index k = 0; k < count; ++k) rows[k] = rows_[some[k]];
    whole_.add_gram(rows.data(), h, count, map, H);
  }

 private:
  const Data& whole_;
  std::vector<Index> rows_;
};

}  // namespace dualmargin
