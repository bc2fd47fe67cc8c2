// A class problem of a kernel fit with its pair, whose function is that of its dual point.
#pragma once

#include "decide/removal_bounds.h"
#include "region/function_ellipsoid.h"

namespace dualmargin::decide {

using region::Function;
using region::FunctionPair;
using region::FunctionProblem;
using region::FunctionRows;

using FittedFunction =
    FittedIn<FunctionProblem, FunctionPair, region::BallIn<Function>, region::FunctionEllipsoid>;

// As Residual: e = kappa w + U is 0 but for its rounding, since w is the function of the dual point.
struct NoResidual {
  double square = 0, own = 0, w_square, rounding;
  RowVec along;

  explicit NoResidual(const FittedFunction& fit)
      : w_square(fit.problem.rows.square(fit.pair.w).value()),
        rounding(fit.kappa() * fit.pair.apart),
        along(RowVec::Zero(fit.n())),
        rows_(fit.problem.rows),
        w_lost_(rows_.square(fit.pair.w).rounding),
        score_lost_(rows_.roundings(fit.pair.w, 0)) {}

  double lost_in_square(Index i, double less, double shift, double terms) const {
    return less * less * w_lost_ + 2 * std::abs(less * shift) * score_lost_[i] +
           rounding::of(16) * terms;
  }
  double lost_in_step(Index i, double less, double score, double out, double x2) const {
    return std::abs(less) * score_lost_[i] + rows_.square_rounding(i) * std::abs(out) * x2 +
           rounding::of(8) * (std::abs(out) * x2 + std::abs(less * score));
  }

 private:
  const FunctionRows& rows_;
  double w_lost_;
  RowVec score_lost_;
};
inline NoResidual residual_of(const FittedFunction& fit, Tick&) { return NoResidual(fit); }

}  // namespace dualmargin::decide
