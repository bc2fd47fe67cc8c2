#include "decide/fitted.h"

namespace dualmargin::decide {

Residual::Residual(const Fitted& fit, Tick& tick)
    : e(fit.kappa() * fit.pair.w + fit.W() * fit.pair.u),
      square(e.squaredNorm()),
      own(e.dot(fit.pair.w)),
      w_square(fit.pair.w.squaredNorm()),
      rounding(fit.W() * fit.pair.u_rounding.norm() +
               rounding::of(4) * (fit.kappa() * fit.pair.w.norm() + fit.W() * fit.pair.u.norm())),
      along(fit.problem.rows.multiply(e, tick)),
      off_(rounding::of(64 * std::sqrt(static_cast<double>(e.size())))),
      lost_(fit.lost_in_score()) {}

double Residual::lost_in_step(Index, double less, double score, double out, double x2) const {
  return lost_ * (std::abs(out) * x2 + std::sqrt(x2 * square) + std::abs(less * score));
}

}  // namespace dualmargin::decide
