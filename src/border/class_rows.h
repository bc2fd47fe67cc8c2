// The rows of the class problems of a fit, made once for all points of its path: each has labels of
// its own, and what is known of the rows (rows/rows.h) is found once for all of them.
#pragma once

#include <utility>
#include <vector>

#include "border/call.h"
#include "rows/rows.h"

namespace dualmargin::border {

template <class Data>
class ClassRows {
 public:
  // all.y: the codes of the classes, or the labels of the one problem
  ClassRows(const Rows<Data>& all, int classes) : ClassRows(all, targets(all.y, classes)) {}
  // The labels of each problem.
  ClassRows(const Rows<Data>& all, std::vector<RowVec> labels) : labels_(std::move(labels)) {
    each_.reserve(labels_.size() + 1);
    for (const RowVec& y : labels_) each_.emplace_back(all, y);
    if (each_.empty()) each_.push_back(all);
  }
  ClassRows(const ClassRows&) = delete;

  const Rows<Data>& operator[](Index k) const { return each_[static_cast<std::size_t>(k)]; }

 private:
  // None where there is one problem: its labels are those of the rows.
  static std::vector<RowVec> targets(const RowVec& codes, int classes) {
    std::vector<RowVec> all;
    for (int k = 0; classes > 1 && k < classes; ++k) all.push_back(target(codes, classes, k));
    return all;
  }

  std::vector<RowVec> labels_;
  std::vector<Rows<Data>> each_;
};

}  // namespace dualmargin::border
