// Products of the rows of a linear problem with one another, for steps in its dual variables.
#pragma once

#include <vector>

#include "region/moved_rows.h"

namespace dualmargin::decide {

template <class Data>
class ColumnSpace {
 public:
  ColumnSpace(const region::MovedRows<Data>& rows, Tick& tick)
      : rows_(rows), squares_(rows.squares(tick)) {}

  // from above
  double square(Index i) const { return squares_[i]; }
  Mat inner(const std::vector<Index>& at) const {
    const auto m = static_cast<Index>(at.size());
    Mat K(m, m);
    if constexpr (!Data::compressed) {
      Mat X(rows_.dim(), m);
      for (Index k = 0; k < m; ++k) X.col(k) = rows_.row(at[k]);
      K.noalias() = X.transpose() * X;
      return K;
    }
    for (Index k = 0; k < m; ++k) {
      const Vec x = rows_.row(at[k]);
      const double moved = rows_.shifted ? rows_.shift.dot(x) : 0.0;
      for (Index l = k; l < m; ++l) K(l, k) = K(k, l) = rows_.rows.dot(at[l], x) - moved;
    }
    return K;
  }
  // -(1/kappa) sum_j m_j x_j, and its scores
  Vec point(const RowVec& mass, double kappa, Tick& tick) const {
    return -rows_.cross(mass, tick) / kappa;
  }
  RowVec scores(const RowVec& mass, double kappa, Tick& tick) const {
    return rows_.times(point(mass, kappa, tick), tick);
  }

 private:
  const region::MovedRows<Data>& rows_;
  const RowVec& squares_;
};

}  // namespace dualmargin::decide
