// Along a line in the scores of all classes.
#pragma once

#include <array>

#include "rows/row_mat.h"

namespace dualmargin::linear {

// Slope and curvature of the losses at z + t dz, smoothed by mu (joint_newton.h).
template <class Problem>
std::array<double, 2> losses_along(const Problem& problem, const RowMat& z, const RowMat& dz,
                                   double t, double mu) {
  const Index k = problem.classes;
  return problem.rows.sum([&](Index i) {
    const double *at = z.at(i), *d = dz.at(i);
    double top = -HUGE_VAL, total = 0, mean = 0, squares = 0;
    const auto moved = [&](Index c) {
      return at[c] + t * d[c] - (c == problem.y[i] ? Problem::Loss::margin : 0.0);
    };
    for (Index c = 0; c < k; ++c) top = std::max(top, moved(c));
    for (Index c = 0; c < k; ++c) {
      const double e = std::exp((moved(c) - top) / mu);
      total += e;
      mean += e * d[c];
      squares += e * d[c] * d[c];
    }
    mean /= total;
    const double share = problem.rows.share(i);
    return std::array<double, 2>{share * (mean - d[problem.y[i]]),
                                 share * (squares / total - mean * mean) / mu};
  });
}

}  // namespace dualmargin::linear
