// Vectors that cost something to make, kept as far as they fit into memory; the one that was
// longest not asked for makes room.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

class LruCache {
 public:
  // Of `keys` vectors of that length as many as fit into `bytes`, `least` in any case.
  LruCache(Index keys, Index length, double bytes, Index least)
      : most_(std::max(static_cast<double>(least), bytes / (8.0 * static_cast<double>(length)))),
        slot_of_(keys, -1) {}

  // make(vector) is called where it is not there. Valid until `least` others were asked for.
  template <class Make>
  const Vec& get(Index key, Make make) {
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

 private:
  struct Slot {
    Vec values;
    Index key = -1;
    long asked = 0;
  };

  Index free_slot() {
    if (static_cast<double>(slots_.size()) < most_) {
      slots_.emplace_back();
      return static_cast<Index>(slots_.size()) - 1;
    }
    const auto oldest =
        std::min_element(slots_.begin(), slots_.end(),
                         [](const Slot& a, const Slot& b) { return a.asked < b.asked; });
    if (oldest->key >= 0) slot_of_[oldest->key] = -1;
    return oldest - slots_.begin();
  }

  double most_;
  std::vector<Index> slot_of_;
  std::deque<Slot> slots_;  // its values stay where they are as it grows
  long clock_ = 0;
};

}  // namespace dualmargin
