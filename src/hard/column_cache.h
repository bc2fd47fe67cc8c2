// The products of examples with all others, as many as fit; the one that was longest not asked for
// makes room.
#pragma once

#include <algorithm>
#include <vector>

#include "hard/margin_rows.h"

namespace dualmargin::hard {

class ColumnCache {
 public:
  ColumnCache(const MarginRows& rows, double bytes)
      : rows_(rows),
        most_(std::max(2.0, bytes / (8.0 * static_cast<double>(rows.examples())))),
        slot_of_(rows.examples(), -1) {}

  // out = A a_e; the work, in passes over the data.
  double column(Index e, Vec& out, Run& run) {
    const Index i = rows_.example(e);
    double work = 0;
    if (slot_of_[i] < 0) {
      slot_of_[i] = free_slot();
      holds_[slot_of_[i]] = i;
      rows_.products(i, products_[slot_of_[i]], run);
      work = rows_.column_price();
    }
    asked_[slot_of_[i]] = ++clock_;
    rows_.column(e, products_[slot_of_[i]], out);
    return work;
  }

 private:
  Index free_slot() {
    if (static_cast<double>(products_.size()) < most_) {
      products_.emplace_back();
      holds_.push_back(-1);
      asked_.push_back(0);
      return static_cast<Index>(products_.size()) - 1;
    }
    const Index oldest = std::min_element(asked_.begin(), asked_.end()) - asked_.begin();
    slot_of_[holds_[oldest]] = -1;
    return oldest;
  }

  const MarginRows& rows_;
  double most_;  // how many
  std::vector<Index> slot_of_, holds_;
  std::vector<long> asked_;
  std::vector<Vec> products_;
  long clock_ = 0;
};

}  // namespace dualmargin::hard
