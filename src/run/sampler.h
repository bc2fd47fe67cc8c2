// Seeded random draws, the same on every platform: the generator is fixed by the C++ standard, and
// the maps from its bits to integers and reals are our own, since the standard leaves those open.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "base/function_ref.h"
#include "base/numeric.h"
#include "base/tick.h"

namespace dualmargin {

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : bits_(seed) {}

  // Uniform on {0, ..., n - 1}: the upper half of 32 random bits times n, without a division; what
  // would make some values likelier is drawn again (D. Lemire 2019, Fast Random Integer Generation
  // in an Interval, ACM Transactions on Modeling and Computer Simulation 29(1),
  // doi:10.1145/3230636, Algorithm 5). A range that needs more bits takes as many as it needs,
  // until they are below n.
  Index below(Index n) {
    const std::uint64_t range = static_cast<std::uint64_t>(n);
    if (range >> 32 != 0) return wide_below(range);
    std::uint64_t product = half() * range;
    if (lower(product) < range) {
      const std::uint64_t least = (std::uint64_t{1} << 32) % range;
      while (lower(product) < least) product = half() * range;
    }
    return static_cast<Index>(product >> 32);
  }

  // Uniform on [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

  // Fisher-Yates.
  void shuffle(std::vector<Index>& order);

  // An index drawn with probability proportional to its weight, from their running totals.
  Index weighted(const std::vector<double>& running_totals);

 private:
  static std::uint64_t lower(std::uint64_t bits) { return bits & 0xffffffff; }

  // 32 random bits: of each number of the generator first the upper ones, then the lower ones.
  std::uint64_t half() {
    has_lower_ = !has_lower_;
    if (!has_lower_) return lower(last_);
    last_ = bits_();
    return last_ >> 32;
  }
  Index wide_below(std::uint64_t range);

  std::mt19937_64 bits_;
  std::uint64_t last_ = 0;
  bool has_lower_ = false;  // is the lower half of `last_` unused?
};

// Which rows an epoch of a stochastic method visits, and in which order.

// uniform: draws with replacement; permutation: every row once, in a fresh random order each epoch;
// cyclic: in the same random order each epoch.
enum class Order { uniform, permutation, cyclic };

class Visits {
 public:
  Visits(Index n, Order order, Sampler& sampler, Tick& tick);
  Visits(Index n, bool permute, Sampler& sampler, Tick& tick)
      : Visits(n, permute ? Order::permutation : Order::uniform, sampler, tick) {}

  template <class F>  // n calls f(i)
  void epoch(F f) {
    if (fresh_) sampler_.shuffle(order_);
    for (Index k = 0; k < n_; ++k) {
      f(order_.empty() ? sampler_.below(n_) : order_[k]);
      tick_.row(k);
    }
  }

  // Not for Order::uniform: f(rows, count) with `size` rows each time, the last time what is left.
  void batches(Index size, FunctionRef<void(const Index*, Index)> f);

 private:
  Index n_;
  bool fresh_;
  std::vector<Index> order_;
  Sampler& sampler_;
  Tick& tick_;
};

}  // namespace dualmargin
