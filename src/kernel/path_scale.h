// What is chosen from the data: the width of a kernel and where a path over lambda starts.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/arguments.h"
#include "kernel/kernel_erm.h"
#include "kernel/softmax_erm.h"

namespace dualmargin::kernel {

// The median heuristic: the median squared distance between two hundred rows, evenly spaced, of
// which equal ones are left out; 1 where all are equal.
inline double median_squared_distance(const Arguments& distances) {
  constexpr Index most = 200;
  const Index n = distances.n(), m = std::min(n, most);
  std::vector<double> found;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double d = distances.pair(i * n / m, j * n / m);
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
template <class Data>
double first_lambda(const Data& x, const Vec& weights, double gamma) {
  const double sum = sum_over(x.n(), [&](Index i) { return weights[i] * x.squared_norm(i); });
  return sum / (gamma * weights.sum());
}
inline double first_lambda(const KernelErm& p) {
  return first_lambda(p.x, p.weights, p.row_loss.smooth() ? p.row_loss.gamma() : 1);
}
inline double first_lambda(const SoftmaxErm& p) {
  return first_lambda(p.x, p.weights, Softmax::gamma);
}

}  // namespace dualmargin::kernel
