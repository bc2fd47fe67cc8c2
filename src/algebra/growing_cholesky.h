// The Cholesky factor L of a positive definite matrix whose rows come and go: O(m^2) each.
#pragma once

#include <Eigen/Dense>

#include "base/numeric.h"

namespace dualmargin {

class GrowingCholesky {
 public:
  Index size() const { return m_; }

  // L^{-1} x, L'^{-1} x and both, in place.
  void solve_lower(Vec& x) const {
    lower().template triangularView<Eigen::Lower>().solveInPlace(x);
  }
  void solve_upper(Vec& x) const {
    lower().transpose().template triangularView<Eigen::Upper>().solveInPlace(x);
  }
  void solve(Vec& x) const {
    solve_lower(x);
    solve_upper(x);
  }

  // A new last row of L.
  void append(const Vec& row, double diagonal) {
    if (m_ == L_.rows()) {
      Mat larger = Mat::Zero(2 * m_ + 16, 2 * m_ + 16);
      larger.topLeftCorner(m_, m_) = lower();
      L_.swap(larger);
    }
    L_.row(m_).head(m_) = row.transpose();
    L_(m_, m_) = diagonal;
    ++m_;
  }

  // Row `at` leaves; Givens rotations of neighbouring columns make the rest triangular again.
  // turned(j, c, s) is told of each: columns j and j + 1 become c x + s y and c y - s x.
  template <class Turned>
  void remove(Index at, Turned turned) {
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

 private:
  Eigen::Block<const Mat> lower() const { return L_.topLeftCorner(m_, m_); }

  Mat L_;
  Index m_ = 0;
};

}  // namespace dualmargin
