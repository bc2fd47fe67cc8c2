#include "run/sampler.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dualmargin {

void Sampler::shuffle(std::vector<Index>& order) {
  for (Index i = static_cast<Index>(order.size()) - 1; i > 0; --i) {
    std::swap(order[i], order[below(i + 1)]);
  }
}

Index Sampler::weighted(const std::vector<double>& running_totals) {
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

Index Sampler::wide_below(std::uint64_t range) {
  int unused = 0;
  while ((range - 1) >> (63 - unused) == 0) ++unused;
  std::uint64_t draw = bits_() >> unused;
  while (draw >= range) draw = bits_() >> unused;
  return static_cast<Index>(draw);
}

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
