// Huber's loss: with the residual r = z - y, phi = r^2 / 2 for |r| <= delta and delta |r| -
// delta^2 / 2 beyond. Conjugate: phi*(t) = t y + t^2 / 2 on |t| <= delta.
// Huber (1964), Annals of Mathematical Statistics 35, 73-101. The members are explained in loss.h.
#pragma once

#include <algorithm>
#include <vector>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

class Huber final : public LossOf<Huber> {
 public:
  static constexpr Responses responses = Responses::both;

  explicit Huber(double delta) : delta_(delta) {}

  double gamma() const override { return 1; }
  double delta() const { return delta_; }
  double value(double z, double y) const override {
    const double size = std::abs(z - y);
    return size <= delta_ ? 0.5 * size * size : delta_ * (size - 0.5 * delta_);
  }
  double slope(double z, double y) const override { return std::clamp(z - y, -delta_, delta_); }
  double conjugate(double t, double y) const override {
    return std::abs(t) > delta_ ? HUGE_VAL : t * y + 0.5 * t * t;
  }
  double score(double t, double y) const override { return y + t; }
  double dual_step(double z, double y, double a, double q) const override {
    return std::clamp(unclipped(z, y, a, q), -delta_, delta_);
  }
  double curvature(double z, double y, double a, double q, double) const override {
    return std::abs(unclipped(z, y, a, q)) <= delta_ ? 1 / (1 + q) : 0.0;
  }
  double excess(double z, double a, double y) const override {
    const double r = z - y, c = slope(z, y);
    return 0.5 * (a - c) * (a - c) + (a - c) * (c - r);
  }
  double nearest(double a, double /*y*/) const override { return std::clamp(a, -delta_, delta_); }
  // not times |a|: that leaves the box where delta > 1
  double tilt(double a, double /*y*/) const override { return std::max(0.0, delta_ - std::abs(a)); }
  double least_curvature(double low, double high, double y) const override {
    return std::max(std::abs(low - y), std::abs(high - y)) <= delta_ ? 1.0 : 0.0;
  }
  std::vector<SlopePiece> slope_pieces() const override {
    return {{1 - delta_, -delta_, 0}, {1 + delta_, -1, 1}, {HUGE_VAL, delta_, 0}};
  }

 private:
  double unclipped(double z, double y, double a, double q) const {
    return (z - y + q * a) / (1 + q);
  }

  double delta_;
};

}  // namespace dualmargin
