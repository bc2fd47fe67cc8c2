// Seeded random draws, the same on every platform: the generator is fixed by the C++ standard, and
// the maps from its bits to integers and reals are our own, since the standard leaves those open.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : bits_(seed) {}

  // Uniform on {0, ..., n - 1}. Draws that would favour small values are rejected, so no bias.
  Index below(Index n) {
    const std::uint64_t range = static_cast<std::uint64_t>(n);
    const std::uint64_t limit = range * (UINT64_MAX / range);
    std::uint64_t draw = bits_();
    while (draw >= limit) draw = bits_();
    return static_cast<Index>(draw % range);
  }

  // Uniform on [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

  // Fisher-Yates.
  void shuffle(std::vector<Index>& order) {
    for (Index i = static_cast<Index>(order.size()) - 1; i > 0; --i) {
      std::swap(order[i], order[below(i + 1)]);
    }
  }

  // An index drawn with probability proportional to its weight, from their running totals.
  Index weighted(const std::vector<double>& running_totals) {
    const double target = uniform() * running_totals.back();
    Index low = 0, high = static_cast<Index>(running_totals.size()) - 1;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (running_totals[middle] > target) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace dualmargin
