// Squared hinge: phi = max(0, 1 - m)^2 / (2 gamma), m = y z (LIBLINEAR's is gamma = 1/2).
// Conjugate with t = y beta: beta + gamma beta^2 / 2 on beta <= 0. The members: see loss.h.
#pragma once

#include <algorithm>
#include <vector>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

class SquaredHinge final : public LossOf<SquaredHinge> {
 public:
  static constexpr Responses responses = Responses::labels;

  explicit SquaredHinge(double gamma) : gamma_(gamma) {}

  double gamma() const override { return gamma_; }
  double value(double z, double y) const override {
    const double slack = std::max(0.0, 1 - y * z);
    return slack * slack / (2 * gamma_);
  }
  double slope(double z, double y) const override {
    return y * std::min(0.0, (y * z - 1) / gamma_);
  }
  double conjugate(double t, double y) const override {
    const double beta = y * t;
    return beta > 0 ? HUGE_VAL : beta + gamma_ * beta * beta / 2;
  }
  double score(double t, double y) const override { return y + gamma_ * t; }
  double dual_step(double z, double y, double a, double q) const override {
    return y * std::min(0.0, unclipped(z, y, a, q));
  }
  double curvature(double z, double y, double a, double q, double) const override {
    return unclipped(z, y, a, q) < 0 ? 1 / (gamma_ + q) : 0.0;
  }
  double excess(double z, double a, double y) const override {
    const double off = a - slope(z, y);
    return gamma_ / 2 * off * off - y * a * std::max(0.0, y * z - 1);
  }
  double nearest(double a, double y) const override { return -y * std::max(0.0, -y * a); }
  double tilt(double a, double y) const override { return std::clamp(-y * a, 0.0, 1.0); }
  double least_curvature(double low, double high, double y) const override {
    return (y > 0 ? high : -low) <= 1 ? 1 / gamma_ : 0.0;
  }
  double margin_at(double level) const override { return 1 - std::sqrt(2 * gamma_ * level); }
  std::vector<SlopePiece> slope_pieces() const override {
    return {{1, -1 / gamma_, 1 / gamma_}, {HUGE_VAL, 0, 0}};
  }

 private:
  double unclipped(double z, double y, double a, double q) const {
    return (y * z - 1 + q * y * a) / (gamma_ + q);
  }

  double gamma_;
};

}  // namespace dualmargin
