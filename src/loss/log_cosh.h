// Log-cosh loss: with the residual r = z - y, phi = delta^2 log cosh(r / delta), which is r^2 / 2 for
// |r| << delta and delta |r| - delta^2 log 2 for |r| >> delta. Its slope is delta tanh(r / delta).
// Conjugate with b = t / delta: t y + delta^2 ((1 + b) log(1 + b) + (1 - b) log(1 - b)) / 2 on
// |b| <= 1, so a row is a logistic one with the probability (1 + b) / 2. Of labels it is no loss.
// P. W. Holland and R. E. Welsch (1977), Robust regression using iteratively reweighted
// least-squares, Communications in Statistics A 6, 813-827 (their "logistic"). The members are
// explained in loss.h.
#pragma once

#include <algorithm>

#include "base/numeric.h"
#include "loss/loss_of.h"

namespace dualmargin {

class LogCosh final : public LossOf<LogCosh> {
 public:
  static constexpr Responses responses = Responses::numbers;

  explicit LogCosh(double delta) : delta_(delta) {}

  double gamma() const override { return 1; }
  double value(double z, double y) const override {
    const double s = std::abs(z - y) / delta_, half = std::sinh(0.5 * std::min(s, 1.0));
    // cosh s = 1 + 2 sinh^2(s/2), or e^s (1 + e^-2s) / 2, which neither cancels nor overflows
    return delta_ * delta_ *
           (s < 1 ? std::log1p(2 * half * half) : s + std::log1p(std::exp(-2 * s)) - log_two);
  }
  double slope(double z, double y) const override { return delta_ * std::tanh((z - y) / delta_); }
  double conjugate(double t, double y) const override {
    const double b = std::abs(t) / delta_;
    if (std::abs(t) > delta_) return HUGE_VAL;
    const double c = b < 0.5 ? b * std::atanh(b) + 0.5 * std::log1p(-b * b)
                             : 0.5 * ((1 + b) * std::log1p(b) + x_log_x(1 - b));
    return t * y + delta_ * delta_ * c;
  }
  double score(double t, double y) const override {
    return y + delta_ * std::atanh(std::clamp(t / delta_, -inner, inner));
  }

  // With t = delta tanh(s) the maximiser is the root of s + q tanh(s) = w. For w >= 0 the left side
  // is concave, so that Newton's method from below goes up to the root; |tanh(s)| is at most s and 1.
  double dual_step(double z, double y, double a, double q) const override {
    if (q == 0) return slope(z, y);
    const double signed_w = (z - y + q * a) / delta_, w = std::abs(signed_w);
    double s = std::max(w / (1 + q), w - q);
    for (int i = 0; i < 100; ++i) {
      const double b = std::tanh(s), next = s + (w - s - q * b) / (1 + q * (1 - b) * (1 + b));
      if (!(next > s)) break;
      const bool near = next - s <= 1e-15 * next;
      s = next;
      if (near) break;
    }
    return std::copysign(delta_ * std::tanh(s), signed_w);
  }
  double curvature(double z, double y, double, double q, double t) const override {
    if (q == 0) return second(z, y);
    const double b = t / delta_, h = (1 - b) * (1 + b);
    return h / (1 + q * h);
  }
  // 1 - tanh^2, which would cancel
  double second(double z, double y) const override {
    const double e = std::exp(-2 * std::abs(z - y) / delta_);
    return 4 * e / ((1 + e) * (1 + e));
  }

  DualPiece dual_piece(double t, double y) const override {
    const double b = t / delta_;
    if (!(std::abs(b) < 1)) return {std::copysign(delta_, t), std::copysign(delta_, t), 0, 0};
    return {-delta_, delta_, y + delta_ * std::atanh(b), 1 / ((1 - b) * (1 + b))};
  }

  // delta^2 times the divergence of Kullback and Leibler of the shares u, 1 - u that a says from
  // v, 1 - v that z says, v the smaller: v h((u - v) / v) + (1 - v) h((v - u) / (1 - v)). Far out v
  // is e^-2s for every digit.
  double excess(double z, double a, double y) const override {
    const double s = std::abs(z - y) / delta_, b = std::copysign(1.0, z - y) * a / delta_;
    const double unit = delta_ * delta_;
    if (s > 18) {
      const double u = std::max(0.0, 0.5 * (1 - b)), rest = u < 1 ? (1 - u) * std::log1p(-u) : 0;
      return unit * (2 * s * u + x_log_x(u) + rest + std::exp(-2 * s));
    }
    const double v = 1 / (1 + std::exp(2 * s)), off = 0.5 * (std::tanh(s) - b);
    return unit * (v * entropy(off / v) + (1 - v) * entropy(-off / (1 - v)));
  }
  double nearest(double a, double /*y*/) const override { return std::clamp(a, -delta_, delta_); }
  // in proportion to the curvature, as that of the logistic loss
  double tilt(double a, double /*y*/) const override {
    const double b = std::min(1.0, std::abs(a) / delta_);
    return 0.5 * delta_ * (1 - b) * (1 + b);
  }
  double least_curvature(double low, double high, double y) const override {
    return std::min(second(low, y), second(high, y)) * (1 - 1e-12);
  }

 private:
  static constexpr double log_two = 0.69314718055994530942;
  static constexpr double inner = 1 - 1e-16;

  static double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0.0; }
  // (1 + x) log(1 + x) - x >= 0 for x >= -1
  static double entropy(double x) {
    if (x <= -1) return 1;
    if (std::abs(x) > 0.01) return (1 + x) * std::log1p(x) - x;
    double sum = 0;
    for (int k = 9; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - x * sum;
    return x * x * sum;
  }

  double delta_;
};

}  // namespace dualmargin
