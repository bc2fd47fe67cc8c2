// Which coordinates a model with an l1 part or bounds looks at when there are too many for all of
// them.
#pragma once

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
// not in use wants to enter where the objective falls that way, for w_j = 0 without bounds where
// |u_j| > l1, and the sooner the larger that rate / |x_j| is.
// Those `before` are kept as if they were in use.
std::vector<Index> working_set(const std::vector<Index>& candidates, const ElasticNet& g,
                               const Vec& w, const Vec& u, const Vec& norm, const SetSize& size,
                               const std::vector<Index>& before = {});

}  // namespace dualmargin::linear
