// Which coordinates a model with an l1 part looks at when there are too many for all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "loss/elastic_net.h"

namespace dualmargin::linear {

// How many coordinates beyond those in use: the worst of those that want to enter, `entering` at
// most; where all are fewer than `least`, also the nearest to entering; altogether `most`.
struct SetSize {
  Index least = 0, entering = PTRDIFF_MAX, most = PTRDIFF_MAX;
};

// Of the candidates, in ascending order. u: gradient of the risk; norm: of the columns. What is
// not in use wants to enter where |u_j| > l1, and the sooner the larger (|u_j| - l1) / |x_j| is.
// Those `before` are kept as if they were in use.
inline std::vector<Index> working_set(const std::vector<Index>& candidates, const ElasticNet& g,
                                      const Vec& w, const Vec& u, const Vec& norm,
                                      const SetSize& size, const std::vector<Index>& before = {}) {
  std::vector<Index> set, others;
  auto old = before.begin();
  Index entering = 0;
  for (Index j : candidates) {
    while (old != before.end() && *old < j) ++old;
    const bool kept = w[j] != 0 || (old != before.end() && *old == j);
    (kept ? set : others).push_back(j);
    entering += !kept && std::abs(u[j]) > g.l1_of(j);
  }
  const auto worse = [&](Index i, Index j) {
    const auto excess = [&](Index k) {
      const double slope =
          w[k] == 0 ? std::abs(u[k]) - g.l1_of(k)
                    : std::abs(u[k] + g.l2_of(k) * w[k] + std::copysign(g.l1_of(k), w[k]));
      const double ratio = slope / std::max(norm[k], 1e-300);
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
