// Steps of a quadratic model with an l1 part that would carry weights past zero, where its
// derivative jumps.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/numeric.h"

namespace dualmargin::linear {

// The step with the crossing weights left at zero, where that has a kink.
inline Vec up_to_zero(const Vec& v, const Vec& l1, Vec step) {
  for (Index k = 0; k < v.size(); ++k) {
    if (l1[k] > 0 && v[k] * (v[k] + step[k]) <= 0) step[k] = -v[k];
  }
  return step;
}

// The minimum over t >= 0 of bend t^2 / 2 - fall t plus what l1 adds beyond zero: the derivative
// jumps by 2 l1_k |step_k| where weight k passes it. Returns t and the value there.
inline std::pair<double, double> beyond_zero(const Vec& v, const Vec& step, const Vec& l1,
                                             double fall, double bend) {
  std::vector<std::pair<double, double>> kinks;  // where, jump
  for (Index k = 0; k < v.size(); ++k) {
    const double at = -v[k] / step[k];
    if (at > 0 && std::isfinite(at)) kinks.emplace_back(at, 2 * l1[k] * std::abs(step[k]));
  }
  std::sort(kinks.begin(), kinks.end());
  double at = 0, value = 0, slope = -fall;  // slope at `at`, from the right
  for (const auto& [next, jump] : kinks) {
    if (slope + (next - at) * bend >= 0) break;
    value += (next - at) * (slope + 0.5 * (next - at) * bend);
    slope += (next - at) * bend;
    at = next;
    if (slope + jump >= 0) return {at, value};
    slope += jump;
  }
  const double rest = bend > 0 ? -slope / bend : 0.0;
  return {at + rest, value + rest * (slope + 0.5 * rest * bend)};
}

}  // namespace dualmargin::linear
