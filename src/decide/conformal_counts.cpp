#include "decide/conformal_counts.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/tick.h"

namespace dualmargin::decide {

AtLeast::AtLeast(const Counted& rows, Index models, Index groups, double tie)
    : models_(models), tie_(tie), sorted_(static_cast<std::size_t>(models * groups)) {
  for (Index i = 0; i < rows.n(); ++i) {
    sorted_[cell(rows.model[i], rows.group[i])].push_back(rows.score[i]);
  }
  for (auto& scores : sorted_) std::sort(scores.begin(), scores.end());
}

Index AtLeast::count(const Eigen::Ref<const Vec>& values, Index group) const {
  if (group < 0) return 0;
  Index sum = 0;
  for (Index m = 0; m < models_; ++m) {
    const auto& scores = sorted_[cell(m, group)];
    sum += scores.end() - std::lower_bound(scores.begin(), scores.end(), values[m] - tie_);
  }
  return sum;
}

std::size_t AtLeast::cell(Index model, Index group) const {
  return static_cast<std::size_t>(group * models_ + model);
}

RankedEnds::RankedEnds(const Counted& rows, Index groups)
    : rows_(rows), of_(static_cast<std::size_t>(groups)) {
  for (Index i = 0; i < rows.n(); ++i) of_[rows.group[i]].push_back(i);
}

std::vector<region::Interval> RankedEnds::at(const Eigen::Ref<const Vec>& base_low,
                                             const Eigen::Ref<const Vec>& base_high,
                                             const Eigen::Ref<const Vec>& width, Index group,
                                             const std::vector<Index>& ks) {
  std::vector<region::Interval> ends(ks.size());
  if (group < 0) return ends;
  low_.clear();
  high_.clear();
  for (const Index i : of_[group]) {
    const Index m = rows_.model[i];
    const double half = width[m] * rows_.score[i];
    const double low = base_low[m] - half, high = base_high[m] + half;
    // what is no number excludes nothing
    low_.push_back(std::isnan(low) ? -HUGE_VAL : low);
    high_.push_back(std::isnan(high) ? HUGE_VAL : high);
  }
  for (std::size_t l = 0; l < ks.size(); ++l) {
    if (ks[l] < 1) continue;
    const auto k = static_cast<std::ptrdiff_t>(ks[l] - 1);
    std::nth_element(low_.begin(), low_.begin() + k, low_.end());
    std::nth_element(high_.begin(), high_.begin() + k, high_.end(), std::greater<>());
    ends[l] = {low_[k], high_[k]};
  }
  return ends;
}

void Sure::add(const Within& own, const Within& value, double share) {
  const double off = own.middle - value.middle, half = own.half + value.half;
  if (off + half <= 0) least += share;
  if (!(off - half > 0)) most += share;
}

Within first_beyond(const std::vector<std::pair<Within, double>>& values, double need) {
  // rows that count 1 each: the first that makes them more
  const bool whole =
      std::all_of(values.begin(), values.end(), [](const auto& v) { return v.second == 1; });
  const auto end = [&](double sign) {
    std::vector<std::pair<double, double>> ends;
    ends.reserve(values.size());
    for (const auto& [v, share] : values) {
      const double at = v.middle + sign * v.half;
      ends.emplace_back(std::isnan(at) ? sign * HUGE_VAL : at, share);
    }
    if (whole) {
      const auto k = static_cast<std::ptrdiff_t>(std::floor(need));
      std::nth_element(ends.begin(), ends.begin() + k, ends.end());
      return ends[k].first;
    }
    std::sort(ends.begin(), ends.end());
    double sum = 0;
    for (const auto& [at, share] : ends) {
      sum += share;
      if (sum > need) return at;
    }
    return -HUGE_VAL;  // more than all rows are
  };
  const double from = end(-1), to = end(1);
  return {from, to - from};
}

}  // namespace dualmargin::decide
