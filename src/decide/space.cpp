#include "decide/space.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace dualmargin::decide {

Mat ColumnSpace::inner(const std::vector<Index>& at) const {
  const auto m = static_cast<Index>(at.size());
  Mat K(m, m);
  if (!rows_.storage().is_sparse()) {
    Mat X(rows_.dim(), m);
    for (Index k = 0; k < m; ++k) X.col(k) = rows_.row(at[k]);
    K.noalias() = X.transpose() * X;
    return K;
  }
  for (Index k = 0; k < m; ++k) {
    const Vec x = rows_.row(at[k]);
    const double moved = rows_.shift.dot(x);
    for (Index l = k; l < m; ++l) {
      K(l, k) = K(k, l) = rows_.storage().row_dot(rows_.at(at[l]), x.data()) - moved;
    }
  }
  return K;
}

Vec ColumnSpace::point(const RowVec& mass, double kappa, Tick& tick) const {
  return -rows_.transpose_multiply(mass, tick) / kappa;
}

RowVec ColumnSpace::scores(const RowVec& mass, double kappa, Tick& tick) const {
  return rows_.multiply(point(mass, kappa, tick), tick);
}

Mat GramSpace::inner(const std::vector<Index>& at) const {
  constexpr Index width = 64;
  const KernelMatrix& kernel = gram_.kernel();
  const auto m = static_cast<Index>(at.size());
  Mat K(m, m);
  if (m > 0 && kernel.stored_row(at[0]) != nullptr) {
    kernel.block(at.data(), m)->square(K);
  } else {
    for (Index first = 0; first < m; first += width) {
      const Index count = std::min(width, m - first);
      Mat panel = Mat::Zero(gram_.n(), count);
      kernel.block(at.data() + first, count)->add(Mat::Identity(count, count), panel);
      for (Index k = 0; k < m; ++k) K.row(k).segment(first, count) = panel.row(at[k]);
    }
  }
  K.array() += gram_.constant();
  return K;
}

RowVec GramSpace::scores(const RowVec& mass, double kappa, Tick& tick) const {
  return RowVec(rows_.function(-mass.local() / kappa, tick).values);
}

}  // namespace dualmargin::decide
