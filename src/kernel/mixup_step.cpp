#include "kernel/mixup_step.h"

#include <algorithm>

namespace dualmargin::kernel {

double mixup_step(const Loss& phi, double z, double y, double a, double own, double share,
                  FunctionRef<double()> conjugate) {
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
