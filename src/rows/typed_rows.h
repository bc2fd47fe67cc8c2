// Rows whose storage is known by its type D, for methods that draw them one by one: a call that is
// not inlined takes 10 to 46 per cent of the work on a row of 14 to 20 entries. What passes over all
// rows takes Rows.
#pragma once

#include <utility>

#include "rows/dense.h"
#include "rows/gram.h"
#include "rows/rows.h"
#include "rows/sparse.h"

namespace dualmargin {

template <class D>
class TypedRows : public Rows {
 public:
  using Data = D;

  TypedRows(const Data& x, const RowVec& y_, const RowVec& weights_, Team& team_)
      : Rows(x, y_, weights_, team_), x_(x) {}
  TypedRows(const TypedRows& rows, const RowVec& y_) : Rows(rows, y_), x_(rows.x_) {}
  TypedRows(const TypedRows& all, const RowChoice& some) : Rows(all, some), x_(all.x_) {}

  template <class W>
  double dot(Index i, const W& w) const {
    return x_.dot(at(i), w);
  }
  template <class W>
  void axpy(Index i, double a, W&& w) const {
    x_.axpy(at(i), a, std::forward<W>(w));
  }
  template <class F>
  void for_each(Index i, F f) const {
    x_.for_each(at(i), f);
  }
  // As in dense.h.
  std::pair<Index, double> entry(Index i, Index k) const { return x_.entry(at(i), k); }
  Index place(Index i) const { return x_.place(at(i)); }
  const double* entries(Index i) const { return x_.entries(at(i)); }
  template <class F>
  void for_each_place(Index i, F f) const {
    x_.for_each_place(at(i), f);
  }
  double dot_of(Index i, const double* v, const Vec& w) const { return x_.dot_of(at(i), v, w); }

 private:
  const Data& x_;
};

}  // namespace dualmargin
