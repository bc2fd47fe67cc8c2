// Smoothed hinge: with m = y z, phi = 0 for m >= 1, 1 - m - gamma/2 for m <= 1 - gamma and
// (1 - m)^2 / (2 gamma) between. Conjugate with t = y beta: beta + gamma beta^2 / 2, -1 <= beta <=
// 0. Shalev-Shwartz and Zhang (2013), section 5.2. The members are explained in loss.h.
#pragma once

#include <algorithm>
#include <vector>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

class SmoothHinge final : public LossOf<SmoothHinge> {
 public:
  static constexpr Responses responses = Responses::labels;

  explicit SmoothHinge(double gamma) : gamma_(gamma) {}

  double gamma() const override { return gamma_; }
  double value(double z, double y) const override {
    const double slack = 1 - y * z;
    if (slack <= 0) return 0;
    return slack >= gamma_ ? slack - gamma_ / 2 : slack * slack / (2 * gamma_);
  }
  double slope(double z, double y) const override {
    return y * std::clamp((y * z - 1) / gamma_, -1.0, 0.0);
  }
  double conjugate(double t, double y) const override {
    const double beta = y * t;
    return beta < -1 || beta > 0 ? HUGE_VAL : beta + gamma_ * beta * beta / 2;
  }
  double score(double t, double y) const override { return y + gamma_ * t; }
  double dual_step(double z, double y, double a, double q) const override {
    return y * std::clamp(unclipped(z, y, a, q), -1.0, 0.0);
  }
  double curvature(double z, double y, double a, double q, double) const override {
    const double beta = unclipped(z, y, a, q);
    return beta >= -1 && beta < 0 ? 1 / (gamma_ + q) : 0.0;
  }
  double excess(double z, double a, double y) const override {
    const double off = a - slope(z, y);
    return gamma_ / 2 * off * off + hinge_excess(-y * a, y * z, 1 - gamma_);
  }
  double nearest(double a, double y) const override { return nearest_in_unit(a, y); }
  double tilt(double a, double y) const override { return tilt_in_unit(a, y); }
  double least_curvature(double low, double high, double y) const override {
    const double least = y > 0 ? low : -high, most = y > 0 ? high : -low;
    return least >= 1 - gamma_ && most <= 1 ? 1 / gamma_ : 0.0;
  }
  double margin_at(double level) const override {
    return level >= gamma_ / 2 ? 1 - level - gamma_ / 2 : 1 - std::sqrt(2 * gamma_ * level);
  }
  std::vector<SlopePiece> slope_pieces() const override {
    return {{1 - gamma_, -1, 0}, {1, -1 / gamma_, 1 / gamma_}, {HUGE_VAL, 0, 0}};
  }

 private:
  double unclipped(double z, double y, double a, double q) const {
    return (y * z - 1 + q * y * a) / (gamma_ + q);
  }

  double gamma_;
};

}  // namespace dualmargin
