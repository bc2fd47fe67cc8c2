// Which rows an epoch of a stochastic method visits, and in which order.
#pragma once

#include <numeric>
#include <vector>

#include "core/monitor.h"
#include "core/sampler.h"

namespace dualmargin {

class Visits {
 public:
  // permute: every row once, in a fresh random order each epoch; otherwise draws with replacement
  Visits(Index n, bool permute, Sampler& sampler, Monitor& monitor)
      : n_(n), order_(permute ? n : 0), sampler_(sampler), monitor_(monitor) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  template <class F>  // n calls f(i)
  void epoch(F f) {
    sampler_.shuffle(order_);
    for (Index k = 0; k < n_; ++k) {
      f(order_.empty() ? sampler_.below(n_) : order_[k]);
      monitor_.tick_rows(k);
    }
  }

 private:
  Index n_;
  std::vector<Index> order_;
  Sampler& sampler_;
  Monitor& monitor_;
};

}  // namespace dualmargin
