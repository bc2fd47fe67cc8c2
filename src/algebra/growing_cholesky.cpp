#include "algebra/growing_cholesky.h"

#include <algorithm>

namespace dualmargin {

void GrowingCholesky::solve_lower(Vec& x) const {
  lower().template triangularView<Eigen::Lower>().solveInPlace(x);
}

void GrowingCholesky::solve_upper(Vec& x) const {
  lower().transpose().template triangularView<Eigen::Upper>().solveInPlace(x);
}

void GrowingCholesky::solve(Vec& x) const {
  solve_lower(x);
  solve_upper(x);
}

void GrowingCholesky::append(const Vec& row, double diagonal) {
  if (m_ == L_.rows()) {
    Mat larger = Mat::Zero(2 * m_ + 16, 2 * m_ + 16);
    larger.topLeftCorner(m_, m_) = lower();
    L_.swap(larger);
  }
  L_.row(m_).head(m_) = row.transpose();
  L_(m_, m_) = diagonal;
  ++m_;
}

void GrowingCholesky::remove(Index at, FunctionRef<void(Index, double, double)> turned) {
  --m_;
  for (Index j = 0; j <= m_; ++j) {
    const Index first = std::max(at, j - 1);
    for (Index i = first; i < m_; ++i) L_(i, j) = L_(i + 1, j);
  }
  for (Index j = at; j < m_; ++j) {
    const double a = L_(j, j), b = L_(j, j + 1), r = std::hypot(a, b);
    for (Index i = j; i < m_; ++i) {
      const double x = L_(i, j), y = L_(i, j + 1);
      L_(i, j) = (a * x + b * y) / r;
      L_(i, j + 1) = (a * y - b * x) / r;
    }
    turned(j, a / r, b / r);
  }
}

}  // namespace dualmargin
