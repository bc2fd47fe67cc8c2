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

Mat products_of(const FittedFunction& fit, const std::vector<Index>& out, double& loose) {
  const auto count = static_cast<Index>(out.size());
  const Mat& gram = fit.rows.gram();
  const RowVec squares = fit.rows.squares();
  Mat values(gram.rows(), count), inner(count, count);
  for (Index a = 0; a < count; ++a) values.col(a) = gram.col(out[static_cast<std::size_t>(a)]);
  for (Index a = 0; a < count; ++a) {
    inner.row(a) = values.row(out[static_cast<std::size_t>(a)]);
    inner(a, a) = squares[out[static_cast<std::size_t>(a)]];
  }
  return fit.ellipsoid.factor.products(inner, values, loose);
}

}  // namespace dualmargin::decide
