// Pinball loss, whose mean the tau quantile minimises: phi(z; y) = max(tau (y - z), (1 - tau) (z -
// y)). Not smooth. Conjugate: phi*(t) = t y on -tau <= t <= 1 - tau, infinite elsewhere.
// R. Koenker and G. Bassett (1978), Econometrica 46, 33-50. The members are explained in hinge.h.
#pragma once

#include <algorithm>
#include <array>

#include "base/numeric.h"
#include "loss/soft.h"

namespace dualmargin {

class Quantile {
 public:
  static constexpr bool dual_shift = false;

  explicit Quantile(double tau) : low_(-tau), high_(1 - tau) {}

  double gamma() const { return 0; }
  double value(double z, double y) const { return std::max(low_ * (z - y), high_ * (z - y)); }
  double slope(double z, double y) const { return z < y ? low_ : z > y ? high_ : 0.0; }
  double conjugate(double t, double y) const { return t < low_ || t > high_ ? HUGE_VAL : t * y; }
  double score(double, double y) const { return y; }
  double dual_step(double z, double y, double a, double q) const {
    if (q == 0) return z == y ? a : slope(z, y);
    return std::clamp(a + (z - y) / q, low_, high_);
  }
  double curvature(double z, double y, double a, double q, double) const {
    if (q == 0) return 0;
    const double t = a + (z - y) / q;
    return t >= low_ && t <= high_ ? 1 / q : 0.0;
  }
  DualPiece dual_piece(double t, double y) const {
    return t > low_ && t < high_ ? DualPiece{low_, high_, y, 0} : DualPiece{t, t, y, 0};
  }
  std::array<Kink, 2> kinks(double y) const { return {{{y, high_ - low_}, {y, 0}}}; }

 private:
  double low_, high_;
};

}  // namespace dualmargin
