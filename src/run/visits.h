// Which rows an epoch of a stochastic method visits, and in which order.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "base/tick.h"
#include "run/sampler.h"

namespace dualmargin {

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
