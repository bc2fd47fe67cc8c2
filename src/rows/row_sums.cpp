#include "rows/row_sums.h"

#include <array>

namespace dualmargin {

void RowSums::for_blocks(FunctionRef<void(Index, Index)> f) const {
  dualmargin::for_blocks(team, n_, [&](Index, Index begin, Index end) { f(begin, end); });
}

RowSums::Interval RowSums::balance_points(std::vector<Rise>& rises, double slope,
                                          double rounding) const {
  auto first = rises.begin(), last = rises.end();
  for (;;) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (auto rise = first; rise != last; ++rise) {
      least = std::min(least, rise->at);
      most = std::max(most, rise->at);
    }
    least = -greatest(-least);
    most = greatest(most);
    if (!(least < most)) break;
    const double pivot = pivot_of(first, last, least, most);
    const auto beyond = std::partition(first, last, [&](const Rise& r) { return r.at < pivot; });
    const double risen = sum(beyond - first, [&](Index k) { return first[k].by; });
    if (slope + risen >= -rounding) {
      last = beyond;
    } else {
      slope += risen;
      first = beyond;
    }
  }
  const double here = greatest(first == last ? -HUGE_VAL : first->at);
  if (here == -HUGE_VAL) return {0, 0};
  if (slope + sum(last - first, [&](Index k) { return first[k].by; }) > rounding) {
    return {here, here};
  }
  double next = HUGE_VAL;
  for (; last != rises.end(); ++last) next = std::min(next, last->at);
  next = -greatest(-next);
  return {here, next < HUGE_VAL ? next : here};
}

double RowSums::balance_point(std::vector<Rise>& rises, double slope, double rounding) const {
  const Interval at = balance_points(rises, slope, rounding);
  return at.low + 0.5 * (at.high - at.low);
}

double RowSums::greatest(double x) const {
  team.max(x);
  return x;
}

double RowSums::pivot_of(Place first, Place last, double least, double most) const {
  const auto middle = first + (last - first) / 2;
  if (first != last) {
    std::nth_element(first, middle, last, [](auto& j, auto& k) { return j.at < k.at; });
  }
  double pivot = first == last ? 0 : middle->at;
  if (team.size() > 1) {
    const auto count = static_cast<double>(last - first);
    std::array<double, 2> mean{pivot * count, count};
    team.sum(mean.data(), 2);
    pivot = mean[0] / mean[1];
  }
  if (!(pivot > least && pivot <= most)) pivot = least + 0.5 * (most - least);
  return pivot > least && pivot <= most ? pivot : most;
}

}  // namespace dualmargin
