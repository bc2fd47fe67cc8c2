// What a pair of a kernel fit says of where the optimum is. Its function is that of its dual point,
//
//   w(a) = -(1/(mu W)) sum_i omega_i a_i k_i,
//
// unless another w is given: then the ball is around (w + w(a))/2 with r^2 = F/mu + |w - w(a)|^2/4,
// as in ball.h. A free intercept has the range of its offset around a centre of the rows, and a tilt.
#pragma once

#include <vector>

#include "region/function_ellipsoid.h"
#include "region/region.h"

namespace dualmargin::region {

struct FunctionPair : RowTerms {
  Function w, residual;  // residual: w - w(a)
  double apart = 0;      // |w - w(a)| from above
  double lost = 0;       // of it, by the rounding of coefficients
};

// e of its tilt is zero where w = w(a).
using FunctionRegion = RegionIn<Function, FunctionEllipsoid>;

// Rows with a weight.
std::vector<Index> used_rows(const RowVec& omega);

// a need not be feasible: it is made so. used: the rows of which functions are made, which are those
// whose a_i is not 0 and which have a weight; w: nothing where it is that of the dual point.
FunctionPair pair_of(const FunctionProblem& problem, Function w, RowVec a,
                     const std::vector<Index>& used, Tick& tick);

BallIn<Function> ball_of(const FunctionProblem& problem, const FunctionPair& pair);

// e = kappa (w - w(a)). Of rows with a_i = 0 no function is made.
TiltIn<Function> tilt_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick);

FunctionRegion region_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick);

// rows: as those of the pair; centre: of the rows whose offset is known; columns(begin, end): the
// values of some of the rows at those of the problem, for an ellipsoid.
Ends intervals(const FunctionRegion& r, const FunctionRows& rows, const Function& centre,
               FunctionRef<Mat(Index, Index)> columns, Tick& tick);
// Without an ellipsoid, the offset that of the rows as they are.
Ends intervals(const FunctionRegion& r, const FunctionRows& rows, Tick& tick);

}  // namespace dualmargin::region
