// Centre and scale of the columns of rows that are used where they lie: the coordinate of an entry
// v of column j is (v - centre_j) / scale_j, whenever it is asked for.
#pragma once

#include "base/numeric.h"

namespace dualmargin {

struct ColumnFrame {
  const double* centre = nullptr;  // null: none; zero for a column with entries that are not stored
  const double* scale = nullptr;   // null: none
  // May a pass divide weights, and what it sums by columns, by the scales? Not where products of
  // them with entries in the unit of the column could leave the range of double precision.
  bool by_pass = false;

  ColumnFrame() = default;
  ColumnFrame(const Vec& centres, const Vec& scales) {
    constexpr double most = 1e90;
    if (!centres.isZero(0)) centre = centres.data();
    if ((scales.array() != 1).any()) scale = scales.data();
    by_pass = scale != nullptr && scales.minCoeff() > 1 / most && scales.maxCoeff() < most;
  }
  bool none() const { return centre == nullptr && scale == nullptr; }
};

// The rows as a pass over all of them reads them, and the weights that it multiplies them by. A
// pass divides weights by scales once, and sums by columns at their end, so that a scale costs
// nothing an entry. A centre is taken from each entry: from a product it would take the digits of
// rows far from the origin. Here are rows without such a frame; for the others see sparse.h.
template <class Data, class W = Vec>
class Pass {
 public:
  explicit Pass(const Data& x) : x_(x), w_(nullptr) {}
  Pass(const Data& x, const W& w) : x_(x), w_(&w) {}

  double dot(Index i) const { return x_.dot(i, *w_); }
  void axpy(Index i, double a, Vec& sums) const { x_.axpy(i, a, sums); }
  Vec divided(Vec sums) const { return sums; }
  // Entries before the division; and what is divided for them too, as one of two rows is for their
  // product.
  template <class F>
  void for_each(Index i, F f) const {
    x_.for_each(i, f);
  }
  double divided(Index, double v) const { return v; }

 private:
  const Data& x_;
  const W* w_;
};

}  // namespace dualmargin
