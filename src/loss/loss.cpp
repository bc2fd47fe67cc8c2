#include "loss/loss.h"

namespace dualmargin {

namespace {

// phi'' |tanh(z/2)|, from above within `wander` of z: relative to phi'', which is tiny for rows
// far on one side, since its logarithm moves no faster than z.
double third_at(double z, double wander) {
  const double size = std::abs(z), e = std::exp(-size), curvature = e / ((1 + e) * (1 + e));
  return curvature * std::exp(wander) * std::min(1.0, std::tanh(size / 2) + wander / 2);
}

// sup |phi'''| of the logistic loss between two scores: p (1 - p) |1 - 2p| has its maximum
// 1/(6 sqrt 3) at |z| = log(2 + sqrt 3) and falls to both sides of it.
double third_derivative(double z1, double z2, double wander) {
  const double peak = std::log(2 + std::sqrt(3.0)), most = 1 / (6 * std::sqrt(3.0));
  const double least = std::min(std::abs(z1), std::abs(z2)) - wander;
  const double largest = std::max(std::abs(z1), std::abs(z2)) + wander;
  // both signs: a peak lies between if the larger |z| is beyond it
  if ((least <= peak || (z1 < 0) != (z2 < 0)) && largest >= peak) return most;
  return std::max(third_at(z1, wander), third_at(z2, wander));
}

}  // namespace

double Loss::bend(double z1, double z2, double y, double dz, double wander) const {
  if (curving() == Curving::self_concordant) return third_derivative(z1, z2, wander) * dz * dz / 2;
  if (curving() == Curving::constant) return 0;
  if (!bends()) return HUGE_VAL;
  const double low = std::min(y * z1, y * z2) - wander, high = std::max(y * z1, y * z2) + wander;
  for (const SlopePiece& piece : slope_pieces()) {
    if (piece.until < HUGE_VAL && low <= piece.until && piece.until <= high) return dz / gamma();
  }
  return 0;
}

}  // namespace dualmargin
