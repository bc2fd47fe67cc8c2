// Random numbers of perturbations: a function of (seed, row, visit, coordinate) and of nothing
// else, so that any visit of any row can be drawn again and no state is kept but the number of
// visits.
//
// Balanced: the visits of a row come in cycles. With a fresh hash h of every coordinate and cycle,
// visit c of the cycle gets the uniform number
//
//   u = frac(h + c / m)                                        (lattice of m visits)
//   u = frac(h + 2 floor(c/2) / m), and 1 - u for odd c        (mirrored lattice, m even)
//
// Every u alone is exactly uniform, and independent between coordinates, rows and cycles. Over a
// cycle of the first kind {u < r/m} happens exactly r times; over one of the second the mean of
// every function that is odd about 1/2 is zero. Both are S-MISO's own average over the visits of a
// row, from which the first order of the noise so vanishes.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/mix64.h"
#include "base/numeric.h"

namespace dualmargin::augmented {

struct Visit {
  Index row;
  std::uint64_t number;  // 0 the first time
};

// How the visits of one row belong together. Numbers on [0, 1) are 64-bit integers here, in units
// of 2^-64, whose overflow is frac().
struct Cycle {
  std::uint64_t length = 1, rotation = 0;
  bool mirrored = false;

  static Cycle independent() { return {}; }

  static constexpr int longest = 100;
  // For an event of probability `share`: m is the smallest with m share whole, or where there is
  // none, 16 visits rotated by the golden ratio.
  static Cycle lattice(double share) {
    for (int m = 1; m <= longest; ++m) {
      if (std::abs(m * share - std::round(m * share)) < 1e-9) {
        return {static_cast<std::uint64_t>(m), m == 1 ? 0 : UINT64_MAX / m + 1, false};
      }
    }
    return {16, golden64, false};
  }
  static Cycle mirrors() { return {16, std::uint64_t{1} << 61, true}; }
  static Cycle mirrors_if(bool balanced) { return balanced ? mirrors() : independent(); }
};

// The uniform numbers of one visit, one a coordinate.
class Uniforms {
 public:
  Uniforms(std::uint64_t seed, const Cycle& cycle, const Visit& at) {
    const std::uint64_t turn = at.number / cycle.length, c = at.number % cycle.length;
    const std::uint64_t row = static_cast<std::uint64_t>(at.row);
    base_ = mix64(seed + golden64 * row) ^ mix64(golden64 * (turn + 1));
    base_ = mix64(base_);
    shift_ = (cycle.mirrored ? c / 2 : c) * cycle.rotation;
    flip_ = cycle.mirrored && c % 2 == 1 ? UINT64_MAX : 0;
  }

  std::uint64_t bits(Index k) const {
    return (mix64(base_ + golden64 * static_cast<std::uint64_t>(k)) + shift_) ^ flip_;
  }
  // On (0, 1), 52 bits and a half, so that u and 1 - u are mirror images to the last bit.
  double uniform(Index k) const { return (static_cast<double>(bits(k) >> 12) + 0.5) * 0x1p-52; }

 private:
  std::uint64_t base_, shift_, flip_;
};

}  // namespace dualmargin::augmented
