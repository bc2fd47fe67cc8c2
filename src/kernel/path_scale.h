// What is chosen from the data: the width of a kernel and where a path over lambda starts.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/arguments.h"

namespace dualmargin::kernel {

// The median heuristic: the median squared distance between two hundred rows, evenly spaced, of
// which equal ones are left out; 1 where all are equal.
inline double median_squared_distance(const Arguments& distances) {
  constexpr Index most = 200;
  const Index n = distances.n(), m = std::min(n, most);
  std::vector<double> found;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double d = distances.value(i * n / m, j * n / m);
      if (d > 0) found.push_back(d);
    }
  }
  if (found.empty()) return 1;
  const auto middle = found.begin() + static_cast<Index>(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end());
  return *middle;
}

// As for the linear family's ridge: (1/(gamma W)) sum_i omega_i k(x_i, x_i), a bound on the
// curvature of the mean loss, where every direction is shrunk to half or less.
template <class Problem>
double first_lambda(const Problem& p) {
  return p.space.mean_square() / p.losses.gamma();
}

}  // namespace dualmargin::kernel
