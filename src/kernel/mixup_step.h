// The step of vanilla dual ascent, which the three methods of the mixup paper share.
// G. Obi, A. Saito, Y. Sasaki, T. Kato (2025), Linearly Convergent Mixup Learning,
// arXiv:2501.07794, (10)-(13) and (21). The paper's alpha is -a.
//
// From a_i by the share eta of q = u - a_i towards the slope u = phi'(z_i) the dual objective D of
// kernel_problem.h rises by at least
//
//   J(\eta)  = \frac{\omega_i}{W} [\eta F
//              + \frac\gamma2 q^2 \eta (1 - \frac\eta{\bar s})],                            (11)
//   F       = \phi(z_i) + \phi^*(a_i) - a_i z_i,                                          (12)
//   \bar s  = \frac{\lambda W \gamma}{\omega_i K_{ii} + \lambda W \gamma},                    (12)
//
// for a loss that is 1/gamma-smooth. With equal weights this is the paper's.
#pragma once

#include <algorithm>

#include "kernel/sdca.h"

namespace dualmargin::kernel {

// From a, with the score z of the row, its label y, its q of dual_state.h and its `share` of a row:
// the vertex of J, (13). `conjugate`: phi*(a; y) or a bound below it.
template <class Conjugate>
double mixup_step(const AnyLoss& phi, double z, double y, double a, double own, double share,
                  Conjugate conjugate) {
  const double gamma = phi.gamma(), u = phi.slope(z, y), q = u - a;
  if (q == 0) return a;
  const double F = phi.value(z, y) + conjugate() - a * z, curve = gamma * share * q * q;
  // F >= gamma q^2 / 2 without rounding, so the 1 of (21) changes nothing in (13)
  const double s = gamma / (own + gamma);
  const double eta = std::min(1.0, s * std::max(1.0, (F + 0.5 * curve) / curve));
  // both are in the domain of phi*, and so is what lies between
  return std::clamp(a + eta * q, std::min(a, u), std::max(a, u));
}

}  // namespace dualmargin::kernel
