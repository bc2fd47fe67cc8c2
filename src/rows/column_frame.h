// Centre and scale of the columns of rows that are used where they lie: the coordinate of an entry
// v of column j is (v - centre_j) / scale_j, whenever it is asked for.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/numeric.h"

namespace dualmargin {

struct ColumnFrame {
  // Columns begin, ..., end - 1 that all are read with their centres, or that have none.
  struct Run {
    Index begin, end;
    bool moved;
  };
  const double* centre = nullptr;  // null: none; zero for a column with entries that are not stored
  const double* scale = nullptr;   // null: none
  // May a pass divide weights, and what it sums by columns, by the scales? Not where products of
  // them with entries in the unit of the column could leave the range of double precision.
  bool by_pass = false;
  std::shared_ptr<const std::vector<Run>> runs;  // where there are centres

  ColumnFrame() = default;
  ColumnFrame(const Vec& centres, const Vec& scales) {
    constexpr double most = 1e90;
    if (!centres.isZero(0)) {
      centre = centres.data();
      runs = runs_of(centres);
    }
    if ((scales.array() != 1).any()) scale = scales.data();
    by_pass = scale != nullptr && scales.minCoeff() > 1 / most && scales.maxCoeff() < most;
  }
  bool none() const { return centre == nullptr && scale == nullptr; }
  double of(Index j, double v) const {
    const double moved = centre != nullptr ? v - centre[j] : v;
    return scale != nullptr ? moved / scale[j] : moved;
  }

 private:
  // Few columns are far from the origin. The others pass as if there were no centre, but for short
  // runs of them, which would cost more than what they save.
  static std::shared_ptr<const std::vector<Run>> runs_of(const Vec& centres) {
    constexpr Index least = 32;
    std::vector<Run> runs;
    const auto add = [&runs](Index begin, Index end, bool moved) {
      if (begin == end) return;
      if (moved && !runs.empty() && runs.back().moved) {
        runs.back().end = end;
      } else {
        runs.push_back({begin, end, moved});
      }
    };
    for (Index j = 0; j < centres.size();) {
      Index end = j;
      while (end < centres.size() && centres[end] == 0) ++end;
      add(j, end, end - j < least);
      const Index shifted = end;
      while (end < centres.size() && centres[end] != 0) ++end;
      add(shifted, end, true);
      j = end;
    }
    return std::make_shared<const std::vector<Run>>(std::move(runs));
  }
};

// A pass divides weights by scales once, and sums by columns at their end, so that a scale costs
// nothing an entry. A centre is taken from each entry: from a product it would take the digits of
// rows far from the origin.
class PassScale {
 public:
  PassScale(const ColumnFrame& frame, Index columns)
      : scale_(frame.by_pass ? frame.scale : nullptr), columns_(columns), left_(frame) {
    if (scale_ != nullptr) left_.scale = nullptr;
  }
  PassScale(const PassScale&) = delete;

  // What is left to be applied to each entry.
  const ColumnFrame& left() const { return left_; }

  // w: of `size` coordinates; null where rows are only added up.
  void take(const double* w, Index size) {
    w_ = w;
    if (scale_ == nullptr || w == nullptr) return;
    own_ = divided(Eigen::Map<const Vec>(w, size));
    w_ = own_.data();
  }
  const double* weights() const { return w_; }

  Vec divided(Vec sums) const {
    if (scale_ != nullptr) {
      for (Index j = 0; j < columns_; ++j) sums[j] /= scale_[j];
    }
    return sums;
  }
  double divided(Index j, double v) const {
    return scale_ != nullptr && j < columns_ ? v / scale_[j] : v;
  }

 private:
  const double* scale_;  // null: nothing is divided
  Index columns_;
  ColumnFrame left_;
  const double* w_ = nullptr;
  Vec own_;  // w / scale
};

}  // namespace dualmargin
