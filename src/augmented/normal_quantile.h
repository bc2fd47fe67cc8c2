// The quantile function of the standard normal distribution.
// P. J. Acklam's rational approximation (relative error 1.2e-9), then one step of Halley's method
// on the distribution function, which makes it exact to rounding.
#pragma once

#include <cmath>

namespace dualmargin::augmented {

inline double normal_density(double x) { return std::exp(-0.5 * x * x) * 0.3989422804014327; }
inline double normal_probability(double x) { return 0.5 * std::erfc(-x * 0.7071067811865476); }

// 0 < p < 1
double normal_quantile(double p);

}  // namespace dualmargin::augmented
