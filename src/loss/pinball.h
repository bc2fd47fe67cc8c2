// Pinball loss with a dead zone: with the residual r = z - y,
//
//   phi(z; y) = max(0, low (r + epsilon), high (r - epsilon)),   low < 0 < high
//
// Quantile loss: low = -tau, high = 1 - tau, epsilon = 0 (R. Koenker and G. Bassett, 1978,
// Econometrica 46, 33-50). Absolute loss: -1, 1, 0. Epsilon-insensitive loss of support vector
// regression: -1, 1, epsilon (V. Vapnik, 1995, The Nature of Statistical Learning Theory). Not
// smooth. Conjugate: phi*(t) = t y + epsilon |t| on low <= t <= high, infinite elsewhere. The
// members are explained in loss.h.
#pragma once

#include <algorithm>
#include <array>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

class Pinball final : public LossOf<Pinball> {
 public:
  static constexpr Responses responses = Responses::numbers;

  Pinball(double low, double high, double epsilon) : low_(low), high_(high), epsilon_(epsilon) {}

  double gamma() const override { return 0; }
  double value(double z, double y) const override {
    const double r = z - y;
    return std::max({0.0, low_ * (r + epsilon_), high_ * (r - epsilon_)});
  }
  double slope(double z, double y) const override {
    const double r = z - y;
    return r < -epsilon_ ? low_ : r > epsilon_ ? high_ : 0.0;
  }
  double conjugate(double t, double y) const override {
    return t < low_ || t > high_ ? HUGE_VAL : t * y + epsilon_ * std::abs(t);
  }
  double score(double t, double y) const override {
    return t > 0 ? y + epsilon_ : t < 0 ? y - epsilon_ : y;
  }
  double dual_step(double z, double y, double a, double q) const override {
    const double r = z - y;
    if (q == 0) {
      if (std::abs(r) != epsilon_) return slope(z, y);
      return std::clamp(a, r > 0 ? 0.0 : low_, r < 0 ? 0.0 : high_);
    }
    const double above = a + (r - epsilon_) / q, below = a + (r + epsilon_) / q;
    return std::clamp(above > 0 ? above : std::min(below, 0.0), low_, high_);
  }
  double curvature(double z, double y, double a, double q, double) const override {
    if (q == 0) return 0;
    const double above = a + (z - y - epsilon_) / q, below = a + (z - y + epsilon_) / q;
    const bool moves = (above >= 0 && above <= high_) || (below <= 0 && below >= low_);
    return moves ? 1 / q : 0.0;
  }
  DualPiece dual_piece(double t, double y) const override {
    const bool inside = t > low_ && t < high_;
    if (!inside || (t == 0 && epsilon_ > 0)) return {t, t, score(t, y), 0};
    if (epsilon_ == 0) return {low_, high_, y, 0};
    return {t < 0 ? low_ : 0.0, t < 0 ? 0.0 : high_, score(t, y), 0};
  }
  std::array<Kink, 2> kinks(double y) const override {
    if (epsilon_ == 0) return {{{y, high_ - low_}, {y, 0}}};
    return {{{y - epsilon_, -low_}, {y + epsilon_, high_}}};
  }
  double excess(double z, double a, double y) const override {
    const double r = z - y, size = std::abs(a);
    if (r > epsilon_) return (high_ - a) * (r - epsilon_) + epsilon_ * (size - a);
    if (r < -epsilon_) return (low_ - a) * (r + epsilon_) + epsilon_ * (size + a);
    return size * epsilon_ - a * r;
  }
  double nearest(double a, double /*y*/) const override { return std::clamp(a, low_, high_); }
  // phi^* has a kink at 0 if there is a tube
  double tilt(double a, double /*y*/) const override {
    const double least = epsilon_ > 0 && a > 0 ? 0 : low_;
    const double most = epsilon_ > 0 && a < 0 ? 0 : high_;
    return std::max(0.0, a - least) * std::max(0.0, most - a) / (most - least);
  }
  double one_sided(double z, double y, bool right) const override {
    const double r = z - y;
    if (right) return r >= epsilon_ ? high_ : r >= -epsilon_ ? 0.0 : low_;
    return r <= -epsilon_ ? low_ : r <= epsilon_ ? 0.0 : high_;
  }

 private:
  double low_, high_, epsilon_;
};

}  // namespace dualmargin
