// The squared distance and the inner product of two rows, by their differences and entries: what
// |x|^2 + |y|^2 - 2 x'y cancels is not lost here. Rows have no bias coordinate.
#pragma once

#include <algorithm>

#include "rows/dense.h"
#include "rows/sparse.h"

namespace dualmargin::kernel {

inline double squared_distance(const Dense& x, Index i, Index j) {
  const Eigen::Map<const Vec> a(x.entries(i), x.dim()), b(x.entries(j), x.dim());
  return (a - b).squaredNorm();
}
inline double inner_product(const Dense& x, Index i, Index j) {
  const Eigen::Map<const Vec> a(x.entries(i), x.dim()), b(x.entries(j), x.dim());
  return a.dot(b);
}

// f(x_ik, x_jk) for every column k in which one of two sparse rows has an entry, the other 0.
template <class F>
void for_each_of_both(const Sparse& x, Index i, Index j, F f) {
  const int *a = x.columns_of(i), *b = x.columns_of(j);
  const int *a_end = a + x.nonzeros(i), *b_end = b + x.nonzeros(j);
  const double *u = x.entries(i), *v = x.entries(j);
  while (a != a_end && b != b_end) {
    if (*a == *b) {
      f(*u++, *v++);
      ++a, ++b;
    } else if (*a < *b) {
      f(*u++, 0.0);
      ++a;
    } else {
      f(0.0, *v++);
      ++b;
    }
  }
  for (; a != a_end; ++a) f(*u++, 0.0);
  for (; b != b_end; ++b) f(0.0, *v++);
}
inline double squared_distance(const Sparse& x, Index i, Index j) {
  double sum = 0;
  for_each_of_both(x, i, j, [&](double u, double v) { sum += (u - v) * (u - v); });
  return sum;
}
inline double inner_product(const Sparse& x, Index i, Index j) {
  double sum = 0;
  for_each_of_both(x, i, j, [&](double u, double v) { sum += u * v; });
  return sum;
}

}  // namespace dualmargin::kernel
