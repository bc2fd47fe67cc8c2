// The factors of positive definite matrices. Shared by every second-order solver.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "base/function_ref.h"
#include "base/numeric.h"
#include "base/tick.h"

namespace dualmargin {

// Shares of its diagonal that a matrix gets more of until it has a factor. A step is refined or judged by
// what it reaches, so that they cost accuracy alone.
using Shares = std::initializer_list<double>;
// A sum of squares that rounding may leave singular; a step that is refined with the matrix itself; what
// many updates of a matrix have left in it.
constexpr Shares if_singular{0.0, 1e-12, 1e-9};
constexpr Shares beside_rounding{1e-14, 1e-12, 1e-10};
constexpr Shares beside_updates{1e-12, 1e-8, 1e-4};

// A = L L' from the lower triangle of A, block by block, so that it can be interrupted; or row by
// row of a matrix whose rows come and go, O(m^2) each.
class Cholesky {
 public:
  // false: A is not positive definite to working precision, or the time is over
  bool factor(Mat A, Tick& tick);
  // The first of the shares with which regularise(A, share) leaves a positive definite matrix; they
  // add up.
  bool factor(Mat A, Shares shares, FunctionRef<void(Mat&, double)> regularise, Tick& tick);

  Index size() const { return m_; }
  Mat lower() const;
  double least_pivot() const { return L_.diagonal().head(m_).minCoeff(); }  // of L

  // L^{-1} x and L'^{-1} x, in place, of one x or of some columns.
  void solve_lower(Vec& x) const;
  void solve_lower(Mat& x) const;
  void solve_upper(Vec& x) const;
  void solve_upper(Mat& x) const;
  template <class X>  // A^{-1} b
  auto solve(const X& b) const {
    std::conditional_t<X::ColsAtCompileTime == 1, Vec, Mat> x = b;
    solve_lower(x);
    solve_upper(x);
    return x;
  }

  // A^{-1} = V'V with V = L^{-1}, a panel of columns at a time; empty where the time is over.
  Mat inverse(Tick& tick) const;

  // A new last row of L.
  void append(const Vec& row, double diagonal);
  // Row `at` leaves; Givens rotations of neighbouring columns make the rest triangular again.
  // turned(j, c, s) is told of each: columns j and j + 1 become c x + s y and c y - s x.
  void remove(Index at, FunctionRef<void(Index, double, double)> turned);

 private:
  static constexpr Index width = 192;

  Eigen::Block<const Mat> used() const { return L_.topLeftCorner(m_, m_); }

  Mat L_;
  Index m_ = 0;
};

// K = G G' of a positive semidefinite matrix, up to what is left of its diagonal, from the columns of
// its pivots alone. S. Fine and K. Scheinberg (2001), Journal of Machine Learning Research 2,
// 243-264.
struct PivotedCholesky {
  std::vector<Index> pivots;
  Mat factor;  // G'; its columns of the pivots are upper triangular

  // diagonal: of K. Of those of a positive `size` the pivot is the one with the largest share of it
  // left; where no share is above `tolerance` the rest is zero. column(i): that of K.
  PivotedCholesky(const Vec& diagonal, const Vec& size, double tolerance, Index most,
                  FunctionRef<Vec(Index)> column, Tick& tick);

  Index rank() const { return factor.rows(); }
};

}  // namespace dualmargin
