#include "run/visits.h"

#include <algorithm>
#include <numeric>

namespace dualmargin {

Visits::Visits(Index n, Order order, Sampler& sampler, Tick& tick)
    : n_(n),
      fresh_(order != Order::cyclic),
      order_(order == Order::uniform ? 0 : n),
      sampler_(sampler),
      tick_(tick) {
  std::iota(order_.begin(), order_.end(), Index{0});
  if (!fresh_) sampler_.shuffle(order_);
}

void Visits::batches(Index size, FunctionRef<void(const Index*, Index)> f) {
  if (fresh_) sampler_.shuffle(order_);
  for (Index k = 0; k < n_; k += size) {
    f(order_.data() + k, std::min(size, n_ - k));
    if (!tick_.poll()) return;
  }
}

}  // namespace dualmargin
