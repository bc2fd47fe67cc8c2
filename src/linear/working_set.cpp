#include "linear/working_set.h"

#include <algorithm>

#include "linear/penalty_kinks.h"

namespace dualmargin::linear {

std::vector<Index> working_set(const std::vector<Index>& candidates, const ElasticNet& g,
                               const Vec& w, const Vec& u, const Vec& norm, const SetSize& size,
                               const std::vector<Index>& before) {
  std::vector<Index> set, others;
  auto old = before.begin();
  Index entering = 0;
  for (Index j : candidates) {
    while (old != before.end() && *old < j) ++old;
    const bool kept = w[j] != 0 || (old != before.end() && *old == j);
    (kept ? set : others).push_back(j);
    entering += !kept && descent_rate(g, j, w[j], u[j]) > 0;
  }
  const auto worse = [&](Index i, Index j) {
    const auto excess = [&](Index k) {
      const double ratio = descent_rate(g, k, w[k], u[k]) / std::max(norm[k], 1e-300);
      return std::isnan(ratio) ? HUGE_VAL : ratio;  // in some order
    };
    return excess(i) > excess(j);
  };
  const auto keep_worst = [&](std::vector<Index>& list, Index room) {
    if (static_cast<Index>(list.size()) <= room) return;
    std::nth_element(list.begin(), list.begin() + room, list.end(), worse);
    list.resize(room);
  };
  const Index used = static_cast<Index>(set.size());
  keep_worst(others, std::max(std::min(entering, size.entering), size.least - used));
  set.insert(set.end(), others.begin(), others.end());
  keep_worst(set, size.most);
  std::sort(set.begin(), set.end());
  return set;
}

}  // namespace dualmargin::linear
