// Which coordinates an l1 model looks at when there are too many for all of them.
#pragma once

#include <algorithm>
#include <vector>

#include "space/elastic_net.h"

namespace dualmargin::linear {

// |smallest subgradient| of the objective in coordinate j; u is the gradient of the risk.
inline double violation(const ElasticNet& g, const Vec& w, const Vec& u, Index j) {
  if (w[j] == 0) return std::max(0.0, std::abs(u[j]) - g.l1);
  return std::abs(u[j] + g.l2 * w[j] + std::copysign(g.l1, w[j]));
}

// The coordinates of before, those in use and the most violated of the others (200, or twice the
// support), in ascending order. More than `most` are cut to the most violated: what is left out
// stays where it is for this step.
inline std::vector<Index> working_set(const ElasticNet& g, const Vec& w, const Vec& u,
                                      const std::vector<Index>& before, Index most) {
  std::vector<char> chosen(w.size(), 0);
  for (Index j : before) chosen[j] = 1;
  std::vector<Index> set, others;
  Index support = 0;
  for (Index j = 0; j < w.size(); ++j) {
    support += w[j] != 0;
    if (chosen[j] || w[j] != 0) {
      set.push_back(j);
    } else if (violation(g, w, u, j) > 0) {
      others.push_back(j);
    }
  }
  const auto worse = [&](Index i, Index j) {
    return violation(g, w, u, i) > violation(g, w, u, j);
  };
  const auto keep_worst = [&](std::vector<Index>& list, Index room) {
    if (static_cast<Index>(list.size()) <= room) return;
    std::nth_element(list.begin(), list.begin() + room, list.end(), worse);
    list.resize(room);
  };
  keep_worst(others, std::max<Index>(200, 2 * support));
  set.insert(set.end(), others.begin(), others.end());
  keep_worst(set, most);
  std::sort(set.begin(), set.end());
  return set;
}

}  // namespace dualmargin::linear
