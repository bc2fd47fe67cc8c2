// What a step of the interior point method costs, in products of matrices, and which it can afford.
#pragma once

#include "base/pass_seconds.h"
#include "robust/robust_svm.h"

namespace dualmargin::robust {

namespace cost {

// A matrix of so many unknowns takes 72 MB, and its factor as much.
constexpr Index most_unknowns = 3000;
// Twenty to thirty steps are needed. One over 2,000 columns, 2.7e9, takes a quarter of a second;
// one over 1,000 dense rows of 2,500 columns, 1.6e9, 0.28 s, of 10,000 columns, 5.3e9, 1.0 s. On
// the former rows (norm l1, radius 0.1) the method ends at a gap of 3e-7 after 22 steps, 6.2 s;
// PDHG has one of 7e-4 after 1,000 epochs, 2.9 s.
constexpr double most_seconds = 2.4;

// A weighted Gram matrix of columns.
double gram(const Rows& rows);

// Of a step over the columns, or over the rows, infinite where their matrix is too large.
struct Step {
  double of_columns, of_rows;

  bool over_rows() const { return of_rows < of_columns; }
  bool possible() const { return std::isfinite(std::min(of_rows, of_columns)); }
  bool affordable() const;
};
// Gram matrix and factor of the columns; or the products of all rows in the metric of the cone, and
// their factor. Where neither a ridge nor a cone holds w there is no such metric, and products of
// rows on several ranks are not made.
Step step(const RobustSvm& problem);

}  // namespace cost

}  // namespace dualmargin::robust
