// K = G G' of a positive semidefinite matrix, up to what is left of its diagonal, from the columns of
// its pivots alone. S. Fine and K. Scheinberg (2001), Journal of Machine Learning Research 2,
// 243-264.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "base/numeric.h"
#include "base/tick.h"

namespace dualmargin {

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
