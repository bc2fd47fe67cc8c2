// Single rows of a kernel matrix: those of a stored one where they lie, those of another kept after
// they were computed, as many as fit; the one that was longest not asked for makes room.
#pragma once

#include <algorithm>
#include <vector>

#include "rows/gram.h"

namespace dualmargin::kernel {

class RowCache {
 public:
  RowCache(const KernelMatrix& kernel, double bytes)
      : kernel_(kernel),
        most_(std::max<Index>(
            few, static_cast<Index>(std::min(bytes / (8.0 * static_cast<double>(kernel.n())),
                                             static_cast<double>(kernel.n()))))),
        slot_of_(kernel.n(), -1) {}

  // Valid until two other rows were asked for.
  KernelRow row(Index i) {
    const KernelRow stored = kernel_.stored_row(i);
    if (stored.found()) return stored;
    Index slot = slot_of_[i];
    if (slot < 0) {
      slot = free_slot();
      slot_of_[i] = slot;
      holds_[slot] = i;
      rows_[slot].setZero(kernel_.n());
      kernel_.add_row(i, 1, rows_[slot]);
    }
    asked_[slot] = ++clock_;
    return rows_[slot].data();
  }

 private:
  static constexpr Index few = 64;

  Index free_slot() {
    if (static_cast<Index>(rows_.size()) < most_) {
      rows_.emplace_back();
      holds_.push_back(-1);
      asked_.push_back(0);
      return static_cast<Index>(rows_.size()) - 1;
    }
    const Index oldest = std::min_element(asked_.begin(), asked_.end()) - asked_.begin();
    slot_of_[holds_[oldest]] = -1;
    return oldest;
  }

  const KernelMatrix& kernel_;
  Index most_;
  std::vector<Index> slot_of_, holds_;
  std::vector<long> asked_;
  std::vector<Vec> rows_;
  long clock_ = 0;
};

}  // namespace dualmargin::kernel
