// What the ridge of each column becomes when a row leaves and columns are scaled anew: of
// coefficients as all rows scale them, (s_j without i / s_j)^2 times what it was.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rounding.h"
#include "rows/matrix_view.h"

namespace dualmargin::decide {

// omega: the weights that scales are by; scales: of all rows. A column for each of the rows `out`.
inline Mat ridge_ratios(const MatrixView& x, const Vec& omega, const Vec& scales,
                        const std::vector<Index>& out) {
  Mat ratios(x.p, static_cast<Index>(out.size()));
  const double W = accurate_sum(x.n, [&](Index i) { return omega[i]; });
  Vec v(x.n);
  const auto spread = [&](Index less, double& mean) {
    const auto weight = [&](Index i) { return i == less ? 0.0 : omega[i]; };
    const double total = less < 0 ? W : W - omega[less];
    // around a value of the column, so that a constant one has no spread at all
    Index first = 0;
    while (first + 1 < x.n && !(weight(first) > 0)) ++first;
    const double near = v[first];
    const double off =
        accurate_sum(x.n, [&](Index i) { return weight(i) * (v[i] - near); }) / total;
    mean = near + off;
    return accurate_sum(x.n, [&](Index i) {
      const double d = (v[i] - near) - off;
      return weight(i) * d * d;
    });
  };
  for (Index j = 0; j < x.p; ++j) {
    v.setZero();
    x.column(j, [&](Index i, double value) { v[i] = value; });
    double mean = 0;
    const double all = spread(-1, mean);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Index i = out[k];
      const double left = W - omega[i], d = v[i] - mean;
      double rest = all - omega[i] * d * d * (W / left);
      double unused = 0;
      // a row can own the spread of a column
      if (!(rest > 1e-4 * all)) rest = spread(i, unused);
      const double s2 = rest > 0 ? rest / left : 1.0;
      ratios(j, static_cast<Index>(k)) = s2 / (scales[j] * scales[j]);
    }
  }
  return ratios;
}

}  // namespace dualmargin::decide
