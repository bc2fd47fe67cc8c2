// Squared epsilon-insensitive loss: with the residual r = z - y and s = max(0, |r| - epsilon),
// phi = s^2 / 2. Conjugate: phi*(t) = t y + epsilon |t| + t^2 / 2. Of labels it is no loss.
// C.-H. Ho and C.-J. Lin (2012), Large-scale Linear Support Vector Regression, JMLR 13, 3323-3348,
// without the factor 1/2. The members are explained in loss.h.
#pragma once

#include <algorithm>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

class SquaredTube final : public LossOf<SquaredTube> {
 public:
  static constexpr Responses responses = Responses::numbers;

  explicit SquaredTube(double epsilon) : epsilon_(epsilon) {}

  double gamma() const override { return 1; }
  double value(double z, double y) const override {
    const double s = outside(z - y);
    return 0.5 * s * s;
  }
  double slope(double z, double y) const override { return outside(z - y); }
  double conjugate(double t, double y) const override {
    return t * y + epsilon_ * std::abs(t) + 0.5 * t * t;
  }
  double score(double t, double y) const override {
    return y + t + (t > 0 ? epsilon_ : t < 0 ? -epsilon_ : 0.0);
  }
  double dual_step(double z, double y, double a, double q) const override {
    return outside(z - y + q * a) / (1 + q);
  }
  double curvature(double z, double y, double a, double q, double) const override {
    return std::abs(z - y + q * a) >= epsilon_ ? 1 / (1 + q) : 0.0;
  }
  DualPiece dual_piece(double t, double y) const override {
    if (t == 0) return {0, 0, y, 0};
    return {t > 0 ? 0 : -HUGE_VAL, t > 0 ? HUGE_VAL : 0, score(t, y), 1};
  }
  double excess(double z, double a, double y) const override {
    const double r = z - y, s = outside(r), inside = r - s;
    return 0.5 * (a - s) * (a - s) + std::abs(a) * epsilon_ - a * inside;
  }
  double tilt(double a, double /*y*/) const override { return std::min(1.0, std::abs(a)); }
  double least_curvature(double low, double high, double y) const override {
    return low - y >= epsilon_ || high - y <= -epsilon_ ? 1.0 : 0.0;
  }

 private:
  // What of r is beyond the tube.
  double outside(double r) const {
    return r > 0 ? std::max(0.0, r - epsilon_) : std::min(0.0, r + epsilon_);
  }

  double epsilon_;
};

}  // namespace dualmargin
