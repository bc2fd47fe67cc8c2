// Rows whose storage is known by its type D, for methods that draw them one by one: a call that is
// not inlined takes 10 to 46 per cent of the work on a row of 14 to 20 entries. What passes over all
// rows takes Rows.
#pragma once

#include <stdexcept>
#include <utility>

#include "rows/dense.h"
#include "rows/rows.h"
#include "rows/sparse.h"

namespace dualmargin {

template <class D>
class TypedRows : public Rows {
 public:
  using Data = D;

  // x: their storage
  TypedRows(const Rows& rows, const Data& x) : Rows(rows), x_(x) {}

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

 private:
  const Data& x_;
};

// f(rows), which lie in memory and are not moved, by the type of their storage.
template <class F>
auto with_typed_rows(const Rows& rows, F f) {
  if (rows.shifted) throw std::logic_error("rows that are moved are not drawn one by one");
  if (const auto* x = dynamic_cast<const Dense*>(&rows.storage())) {
    return f(TypedRows<Dense>(rows, *x));
  }
  if (const auto* x = dynamic_cast<const Sparse*>(&rows.storage())) {
    return f(TypedRows<Sparse>(rows, *x));
  }
  throw std::logic_error("only rows in memory are drawn one by one");
}

}  // namespace dualmargin
