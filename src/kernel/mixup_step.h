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

#include "kernel/kernel_state.h"

namespace dualmargin::kernel {

// The share eta of the vertex of J, `curve` = gamma q^2, for F or a bound below it.
inline double mixup_share(double F, double curve, double s) {
  // F >= gamma q^2 / 2 without rounding, so the 1 of (21) changes nothing in (13)
  return std::min(1.0, s * std::max(1.0, (F + 0.5 * curve) / curve));
}

inline double mixup_scale(const KernelState& state, Index i, double gamma) {
  return gamma / (state.q(i) + gamma);
}

// Part of the way from a to u: both are in the domain of phi*, and so is what lies between.
inline double part_way(double a, double u, double share) {
  return std::clamp(a + share * (u - a), std::min(a, u), std::max(a, u));
}

}  // namespace dualmargin::kernel
