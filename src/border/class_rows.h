// The rows of the class problems of a fit, made once for all points of its path: each has labels of
// its own, and what is known of the rows (rows/rows.h) is found once for all of them.
#pragma once

#include <vector>

#include "border/call.h"
#include "rows/rows.h"

namespace dualmargin::border {

class ClassRows {
 public:
  // all.y: the codes of the classes, or the labels of the one problem
  ClassRows(const Rows& all, int classes) {
    const auto count = static_cast<std::size_t>(classes);
    each_.reserve(count);
    if (classes == 1) {
      each_.push_back(all);
      return;
    }
    labels_.reserve(count);
    for (int k = 0; k < classes; ++k) {
      labels_.push_back(target(all.y, classes, k));
      each_.emplace_back(all, labels_.back());
    }
  }
  ClassRows(const ClassRows&) = delete;

  const Rows& operator[](Index k) const { return each_[static_cast<std::size_t>(k)]; }

 private:
  std::vector<RowVec> labels_;
  std::vector<Rows> each_;
};

}  // namespace dualmargin::border
