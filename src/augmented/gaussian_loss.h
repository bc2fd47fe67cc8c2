// Means of a loss under a normal score, E phi(z + tau e; y) with e ~ N(0, 1), and of its first two
// derivatives in z. tau = 0 gives the loss itself, with a second derivative of 0, which is then
// multiplied by 0.
#pragma once

#include <cmath>
#include <functional>

#include "loss/hinge.h"
#include "loss/huber.h"
#include "loss/logistic.h"
#include "loss/smooth_hinge.h"
#include "loss/squared.h"
#include "loss/squared_hinge.h"

namespace dualmargin::augmented {

struct LossMeans {
  double value = 0, slope = 0, curvature = 0;
  // += weight f
  void add(double weight, const LossMeans& f) {
    value += weight * f.value;
    slope += weight * f.slope;
    curvature += weight * f.curvature;
  }
};

// At z, y and tau > 0.
using NormalMeans = std::function<LossMeans(double z, double y, double tau)>;

NormalMeans under_normal_noise(const Hinge& loss);
NormalMeans under_normal_noise(const SmoothHinge& loss);
NormalMeans under_normal_noise(const SquaredHinge& loss);
NormalMeans under_normal_noise(const Squared& loss);
NormalMeans under_normal_noise(const Huber& loss);
NormalMeans under_normal_noise(const Logistic& loss);

// tau = 0 included.
inline LossMeans mean_loss(const Loss& loss, const NormalMeans& law, double z, double y,
                           double tau) {
  if (!(tau > 0)) return {loss.value(z, y), loss.slope(z, y), 0};
  return law(z, y, tau);
}

// The quantile function of the standard normal distribution.
// P. J. Acklam's rational approximation (relative error 1.2e-9), then one step of Halley's method
// on the distribution function, which makes it exact to rounding.
inline double normal_density(double x) { return std::exp(-0.5 * x * x) * 0.3989422804014327; }
inline double normal_probability(double x) { return 0.5 * std::erfc(-x * 0.7071067811865476); }

// 0 < p < 1
double normal_quantile(double p);

}  // namespace dualmargin::augmented
