// Logistic: phi = log(1 + exp(-m)), m = y z; gamma = 4. With t = -y p, 0 <= p <= 1, the conjugate
// is p log p + (1 - p) log(1 - p). The members are explained in loss.h.
#pragma once

#include <algorithm>

#include "base/numeric.h"
#include "base/slack.h"
#include "loss/loss_of.h"

namespace dualmargin {

struct Logistic final : LossOf<Logistic> {
  static constexpr Responses responses = Responses::labels;

  double gamma() const override { return 4; }
  Curving curving() const override { return Curving::self_concordant; }
  double value(double z, double y) const override {
    const double m = y * z;
    return std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m);
  }
  double slope(double z, double y) const override { return -y * sigmoid(-y * z); }
  double conjugate(double t, double y) const override {
    const double p = -y * t;
    if (p < 0 || p > 1) return HUGE_VAL;
    return (p > 0 ? p * std::log(p) : 0.0) + (p < 1 ? (1 - p) * std::log1p(-p) : 0.0);
  }
  double score(double t, double y) const override {
    constexpr double least = 1e-300, most = 1 - 1e-16;  // scores are finite
    const double p = std::clamp(-y * t, least, most);
    return y * (std::log1p(-p) - std::log(p));
  }

  // With s = logit(p) the maximiser is the root of s + m + q (sigmoid(s) - p0), which increases in
  // s; p in [0, 1] brackets it. Newton's method, replaced by bisection where it leaves the bracket
  // or does not halve its step: around the bend of the sigmoid it can jump to and fro for ever.
  double dual_step(double z, double y, double a, double q) const override {
    if (q == 0) return slope(z, y);
    const double m = y * z, p0 = -y * a;
    double low = -m + q * (p0 - 1), high = -m + q * p0;
    // a logit further out is a worse start than the score
    constexpr double inside = 1e-9, precise = 1e-15;
    double s = p0 > inside && p0 < 1 - inside ? std::log(p0 / (1 - p0)) : -m;
    s = std::clamp(s, low, high);
    double last = HUGE_VAL;
    for (int i = 0; i < 60; ++i) {
      const double p = sigmoid(s), residual = s + m + q * (p - p0);
      (residual > 0 ? high : low) = s;
      double next = s - residual / (1 + q * p * (1 - p));
      if (!(next > low && next < high && 2 * std::abs(next - s) <= last)) next = 0.5 * (low + high);
      last = std::abs(next - s);
      s = next;
      if (last <= precise * (1 + std::abs(s))) break;
    }
    return -y * sigmoid(s);
  }
  double curvature(double, double, double, double q, double t) const override {
    const double p = std::abs(t), h = p * (1 - p);
    return h / (1 + q * h);
  }
  double second(double z, double /*y*/) const override { return sigmoid(z) * sigmoid(-z); }

  double excess(double z, double a, double y) const override { return divergence(-y * a, y * z); }
  double nearest(double a, double y) const override { return nearest_in_unit(a, y); }
  double tilt(double a, double y) const override { return tilt_in_unit(a, y); }
  // It falls on both sides of 0.
  double least_curvature(double low, double high, double y) const override {
    return std::min(second(low, y), second(high, y)) * rounding::lowered;
  }
  double margin_at(double level) const override {
    return -std::log(std::expm1(std::min(level, 700.0))) - std::max(0.0, level - 700);
  }

  static double sigmoid(double s) {
    const double e = std::exp(-std::abs(s));
    return (s >= 0 ? 1 : e) / (1 + e);
  }

  // p log(p/q) + (1 - p) log((1 - p)/(1 - q)) with q = 1/(1 + e^m), the divergence of Kullback and
  // Leibler; near p = q by log1p of p - q.
  static double divergence(double p, double m) {
    const double q = sigmoid(-m), r = sigmoid(m), d = p - q;
    if (std::abs(d) < 0.5 * std::min(q, r)) {
      return p * std::log1p(d / q) + (1 - p) * std::log1p(-d / r);
    }
    const auto log_sigmoid = [](double s) {
      return std::min(s, 0.0) - std::log1p(std::exp(-std::abs(s)));
    };
    const double one = p > 0 ? p * (std::log(p) - log_sigmoid(-m)) : 0.0;
    return one + (p < 1 ? (1 - p) * (std::log1p(-p) - log_sigmoid(m)) : 0.0);
  }
};

}  // namespace dualmargin
