#include "rows/column_frame.h"

#include <stdexcept>
#include <utility>

#include "rows/storage.h"

namespace dualmargin {

namespace {

// Few columns are far from the origin. The others pass as if there were no centre, but for short
// runs of them, which would cost more than what they save.
std::shared_ptr<const std::vector<ColumnFrame::Run>> runs_of(const Vec& centres) {
  constexpr Index least = 32;
  std::vector<ColumnFrame::Run> runs;
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
  return std::make_shared<const std::vector<ColumnFrame::Run>>(std::move(runs));
}

}  // namespace

ColumnFrame::ColumnFrame(const Vec& centres, const Vec& scales) {
  constexpr double most = 1e90;
  if (!centres.isZero(0)) {
    centre = centres.data();
    runs = runs_of(centres);
  }
  if ((scales.array() != 1).any()) scale = scales.data();
  by_pass = scale != nullptr && scales.minCoeff() > 1 / most && scales.maxCoeff() < most;
}

void RowFrame::assert_columns(Index columns) const {
  if (scales.size() != columns)
    throw std::invalid_argument("damaged object: scales of other columns");
}

Vec RowFrame::offsets() const {
  Vec at = Vec::Zero(scales.size() + (constant != 0));
  if (moves()) at.head(scales.size()) = centre.cwiseQuotient(scales);
  return at;
}

std::unique_ptr<Storage> RowFrame::moved(std::unique_ptr<Storage> data) const {
  if (moves() && data->is_sparse()) data->shift = offsets();
  return data;
}

PassScale::PassScale(const ColumnFrame& frame, Index columns)
    : scale_(frame.by_pass ? frame.scale : nullptr), columns_(columns), left_(frame) {
  if (scale_ != nullptr) left_.scale = nullptr;
}

void PassScale::take(const double* w, Index size) {
  w_ = w;
  if (scale_ == nullptr || w == nullptr) return;
  own_ = divided(Eigen::Map<const Vec>(w, size));
  w_ = own_.data();
}

Vec PassScale::divided(Vec sums) const {
  if (scale_ != nullptr) {
    for (Index j = 0; j < columns_; ++j) sums[j] /= scale_[j];
  }
  return sums;
}

}  // namespace dualmargin
