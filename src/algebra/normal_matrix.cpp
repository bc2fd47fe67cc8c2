#include "algebra/normal_matrix.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace dualmargin {

WeightedGram::WeightedGram(const Rows& rows)
    : rows_(rows), held_(RowVec::Zero(rows.n())), map_(rows.dim(), -1) {
  std::vector<Index> all(rows.dim());
  std::iota(all.begin(), all.end(), Index{0});
  restrict_to(std::move(all));
}

void WeightedGram::restrict_to(std::vector<Index> coordinates) {
  if (coordinates == coordinates_) return;
  coordinates_ = std::move(coordinates);
  std::fill(map_.begin(), map_.end(), -1);
  for (std::size_t k = 0; k < coordinates_.size(); ++k) map_[coordinates_[k]] = k;
  clear();
}

template <class Moved>
void WeightedGram::visit(const RowSpan& h, Moved moved, Tick& tick) {
  std::vector<Index> rows;
  RowVec step = RowVec::Zero(h.size());
  for (Index i = 0; i < h.size(); ++i) {
    if (!moved(i)) continue;
    rows.push_back(i);
    step[i] = h[i] - held_[i];
  }
  Vec steps(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) steps[k] = step[rows[k]];
  for (Index i : rows) held_[i] = h[i];
  rows_.gram(std::move(rows), steps, map_, H_, tick);
  cross_ += rows_.transpose_multiply(step, tick);
  total_ += rows_.sum([&](Index i) { return step[i]; });
}

double WeightedGram::update(const RowSpan& h, Tick& tick) {
  const double rows = std::max(rows_.count(), 1.0);
  const double small = 1e-3 * rows_.sum([&](Index i) { return h[i]; }) / rows;
  const auto moved = [&](Index i) {
    return std::abs(h[i] - held_[i]) > 0.1 * held_[i] + (h[i] == 0 ? 0 : small);
  };
  const auto [changed, active] = rows_.sum([&](Index i) {
    return std::array<double, 2>{static_cast<double>(moved(i)), static_cast<double>(h[i] != 0)};
  });
  if (changed > active) clear();
  if (H_.rows() != size()) H_ = Mat::Zero(size(), size());
  visit(h, moved, tick);
  return std::min(changed, active) / rows;
}

void WeightedGram::rebuild(const RowSpan& h, Tick& tick) {
  clear();
  H_ = Mat::Zero(size(), size());
  visit(
      h, [&](Index i) { return h[i] != 0; }, tick);
}

Mat WeightedGram::bordered(bool intercept, double ridge, Index more) const {
  const Index p = size(), border = intercept ? 1 : 0;
  Mat A(p + border + more, p + border + more);
  A.topLeftCorner(p, p) = H_;
  A.diagonal().head(p).array() += ridge;
  if (intercept) {
    for (Index k = 0; k < p; ++k) A(p, k) = cross(k);
    A(p, p) = total_;
  }
  A.bottomRows(more).setZero();
  return A;
}

void WeightedGram::clear() {
  H_.resize(0, 0);
  cross_ = Vec::Zero(rows_.dim());
  total_ = 0;
  held_ = RowVec::Zero(rows_.n());
}

}  // namespace dualmargin
