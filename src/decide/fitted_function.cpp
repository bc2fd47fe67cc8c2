#include "decide/fitted_function.h"

#include "decide/removal_bounds.h"

namespace dualmargin::decide {

NoResidual::NoResidual(const FittedFunction& fit)
    : w_square(fit.problem.rows.square(fit.pair.w).value()),
      rounding(fit.kappa() * fit.pair.apart),
      along(RowVec::Zero(fit.n())),
      rows_(fit.problem.rows),
      w_lost_(rows_.square(fit.pair.w).rounding),
      score_lost_(rows_.roundings(fit.pair.w, 0)) {}

double NoResidual::lost_in_square(Index i, double less, double shift, double terms) const {
  return less * less * w_lost_ + 2 * std::abs(less * shift) * score_lost_[i] +
         rounding::of(16) * terms;
}

double NoResidual::lost_in_step(Index i, double less, double score, double out, double x2) const {
  return std::abs(less) * score_lost_[i] + rows_.square_rounding(i) * std::abs(out) * x2 +
         rounding::of(8) * (std::abs(out) * x2 + std::abs(less * score));
}

}  // namespace dualmargin::decide
