// A class problem of a kernel fit with its pair, whose function is that of its dual point.
#pragma once

#include "decide/fitted.h"

namespace dualmargin::decide {

using region::Function;
using region::FunctionPair;
using region::FunctionProblem;
using region::FunctionRows;

using FittedFunction = FittedIn<FunctionProblem, FunctionPair>;

// As Residual: e = kappa w + U is 0 but for its rounding, since w is the function of the dual point.
struct NoResidual {
  double square = 0, own = 0, w_square, rounding;
  RowVec along;

  Fitted::ScoreVector along_row(Index i) const { return Fitted::ScoreVector(along[i]); }

  explicit NoResidual(const FittedFunction& fit);

  double lost_in_square(Index i, double less, double shift, double terms) const;
  double lost_in_step(Index i, double less, double score, double out, double x2) const;

 private:
  const FunctionRows& rows_;
  double w_lost_;
  RowVec score_lost_;
};
inline NoResidual residual_of(const FittedFunction& fit, Tick&) { return NoResidual(fit); }

// H^-1 of rows with each other; loose: of the entries.
Mat products_of(const FittedFunction& fit, const std::vector<Index>& out, double& loose);

}  // namespace dualmargin::decide
