#include "algebra/lru_cache.h"

#include <algorithm>

namespace dualmargin {

LruCache::LruCache(Index keys, Index length, double bytes, Index least)
    : most_(std::max(static_cast<double>(least), bytes / (8.0 * static_cast<double>(length)))),
      slot_of_(keys, -1) {}

const Vec& LruCache::get(Index key, FunctionRef<void(Vec&)> make) {
  Index slot = slot_of_[key];
  if (slot < 0) {
    slot = free_slot();
    make(slots_[slot].values);
    slot_of_[key] = slot;
    slots_[slot].key = key;
  }
  slots_[slot].asked = ++clock_;
  return slots_[slot].values;
}

Index LruCache::free_slot() {
  if (static_cast<double>(slots_.size()) < most_) {
    slots_.emplace_back();
    return static_cast<Index>(slots_.size()) - 1;
  }
  const auto oldest = std::min_element(
      slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.asked < b.asked; });
  if (oldest->key >= 0) slot_of_[oldest->key] = -1;
  return oldest - slots_.begin();
}

}  // namespace dualmargin
