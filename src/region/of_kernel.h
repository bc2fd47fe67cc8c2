// What a pair of a kernel fit says of where the optimum is. Its function is that of its dual point,
//
//   w(a) = -(1/(mu W)) sum_i omega_i a_i k_i,
//
// unless another w is given: then the ball is around (w + w(a))/2 with r^2 = F/mu + |w - w(a)|^2/4,
// as in ball.h. A free intercept has the range of its offset around a centre of the rows, and a tilt.
#pragma once

#include <vector>

#include "region/function_rows.h"
#include "region/region.h"

namespace dualmargin::region {

using FunctionProblem = ProblemIn<FunctionRows>;

struct FunctionPair : RowTerms {
  Function w, residual;  // residual: w - w(a)
  double apart = 0;      // |w - w(a)| from above
  double lost = 0;       // of it, by the rounding of coefficients
};

struct FunctionTilt : TiltSums {
  Function centre, e;  // c and e, which is zero where w = w(a)
};

struct FunctionRegion {
  double b = 0;
  bool free = false;
  BallIn<Function> ball;
  Interval offset{0, 0};  // of b* in the coordinates of the moved rows
  FunctionTilt tilt;      // of a pair whose w is the centre of the ball
};

// Rows with a weight.
std::vector<Index> used_rows(const RowVec& omega);

// a need not be feasible: it is made so. used: the rows of which functions are made, which are those
// whose a_i is not 0 and which have a weight; w: nothing where it is that of the dual point.
FunctionPair pair_of(const FunctionProblem& problem, Function w, RowVec a,
                     const std::vector<Index>& used, Tick& tick);

BallIn<Function> ball_of(const FunctionProblem& problem, const FunctionPair& pair);

AroundRows around_of(const FunctionProblem& problem, const BallIn<Function>& ball);

// e = kappa (w - w(a)). Of rows with a_i = 0 no function is made.
FunctionTilt tilt_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick);

FunctionRegion region_of(const FunctionProblem& problem, const FunctionPair& pair, Tick& tick);

// What the tilt says of rows with such scores of the pair; of_centre, of_e: the values of its centre
// and of e there.
void meet_tilt(Ends& ends, const FunctionTilt& tilt, const FunctionRows& rows, const RowVec& score,
               const RowVec& lost, const Vec& of_centre, const Vec& of_e);

Ends intervals(const FunctionRegion& r, const FunctionRows& rows, Tick& tick);

}  // namespace dualmargin::region
