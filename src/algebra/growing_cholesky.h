// The Cholesky factor L of a positive definite matrix whose rows come and go: O(m^2) each.
#pragma once

#include "base/function_ref.h"
#include "base/numeric.h"

namespace dualmargin {

class GrowingCholesky {
 public:
  Index size() const { return m_; }

  // L^{-1} x, L'^{-1} x and both, in place.
  void solve_lower(Vec& x) const;
  void solve_upper(Vec& x) const;
  void solve(Vec& x) const;

  // A new last row of L.
  void append(const Vec& row, double diagonal);

  // Row `at` leaves; Givens rotations of neighbouring columns make the rest triangular again.
  // turned(j, c, s) is told of each: columns j and j + 1 become c x + s y and c y - s x.
  void remove(Index at, FunctionRef<void(Index, double, double)> turned);

 private:
  Eigen::Block<const Mat> lower() const { return L_.topLeftCorner(m_, m_); }

  Mat L_;
  Index m_ = 0;
};

}  // namespace dualmargin
