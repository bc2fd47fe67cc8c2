// What can be taken from the columns without any rounding, so that rows far from the origin keep
// the digits in which they differ.
#pragma once

#include <algorithm>
#include <limits>

#include "base/numeric.h"

namespace dualmargin {

// For each column its mean, which rounding does not take out of the range of the entries (a
// constant column becomes zeros); where a difference from that rounds, the mean to thirty bits of
// the largest entry; where that rounds as well, or the column has zeros that are not stored, 0.
// each(f) calls f(j, x_ij) for all stored entries of n rows.
template <class Each>
Vec exact_centres(Index n, Index columns, Each each) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Vec mean = Vec::Zero(columns), coarse = mean, stored = mean;
  Vec least = Vec::Constant(columns, inf), most = -least;
  each([&](Index j, double x) {
    mean[j] += x / static_cast<double>(n);
    stored[j] += 1;
    least[j] = std::min(least[j], x);
    most[j] = std::max(most[j], x);
  });
  for (Index j = 0; j < columns; ++j) {
    if (stored[j] == 0) continue;
    mean[j] = std::clamp(mean[j], least[j], most[j]);
    int exponent = 0;
    std::frexp(std::max(-least[j], most[j]), &exponent);
    const double unit = std::ldexp(1.0, exponent - 30);
    coarse[j] = unit > 0 ? std::nearbyint(mean[j] / unit) * unit : 0.0;
  }
  Vec rounds = Vec::Zero(columns), coarse_rounds = rounds;
  // Knuth's two-sum: what the difference lost
  const auto lost = [](double x, double c) {
    const double d = x - c, back = d - x;
    return (x - (d - back)) - (c + back) != 0;
  };
  each([&](Index j, double x) {
    rounds[j] += lost(x, mean[j]);
    coarse_rounds[j] += lost(x, coarse[j]);
  });
  for (Index j = 0; j < columns; ++j) {
    const bool all = stored[j] == static_cast<double>(n);
    mean[j] = !all ? 0.0 : rounds[j] == 0 ? mean[j] : coarse_rounds[j] == 0 ? coarse[j] : 0.0;
    if (!std::isfinite(mean[j])) mean[j] = 0;
  }
  return mean;
}

}  // namespace dualmargin
