// What the ridge of each column becomes when rows leave or come and columns are scaled anew: of
// coefficients as the rows of the fit scale them, (s_j anew / s_j)^2 times what it was.
#pragma once

#include <vector>

#include "rows/matrix_view.h"

namespace dualmargin::decide {

// sum omega (v - mean)^2 of a column, and the mean, near + off: around one of its values, so that a
// constant column has no spread at all, and a column far from 0 keeps its digits.
struct Spread {
  double square, near, off;
  double from_mean(double value) const { return (value - near) - off; }
};

template <class Weight>
Spread spread_of(const Vec& v, Weight weight, double total) {
  Index first = 0;
  while (first + 1 < v.size() && !(weight(first) > 0)) ++first;
  const double near = v[first];
  const double off =
      accurate_sum(v.size(), [&](Index i) { return weight(i) * (v[i] - near); }) / total;
  const double square = accurate_sum(v.size(), [&](Index i) {
    const double d = (v[i] - near) - off;
    return weight(i) * d * d;
  });
  return {square, near, off};
}

// omega: the weights that scales are by; scales: of all rows. A column for each of the sets `out`.
Mat ridge_ratios(const MatrixView& x, const Vec& omega, const Vec& scales,
                 const std::vector<std::vector<Index>>& out);

// Of rows that come: mean and sum of squares around it, in units of the scales and from the centre
// of the moved rows.
struct ColumnSpreads {
  Vec mean, square, scales;
  double W = 0;

  ColumnSpreads() = default;
  ColumnSpreads(const MatrixView& x, const Vec& omega, Vec scales_, const Vec& centre);

  // row: as the moved rows are
  Vec ratios(const Vec& row, double omega) const;
};

}  // namespace dualmargin::decide
