// What a step of the interior point method costs, in multiplications, and which it can afford.
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

namespace cost {

// A matrix of so many unknowns takes 72 MB, and its factor as much.
constexpr Index most_unknowns = 3000;
// Twenty to thirty steps are needed. One over 2,000 columns, 2.7e9, takes a quarter of a second;
// one over 1,000 dense rows of 2,500 columns, 1.6e9, 0.28 s, of 10,000 columns, 5.3e9, 1.0 s. On
// the former rows (norm l1, radius 0.1) the method ends at a gap of 3e-7 after 22 steps, 6.2 s;
// PDHG has one of 7e-4 after 1,000 epochs, 2.9 s.
constexpr double most_operations = 2e10;

// A weighted Gram matrix of columns, sum of nnz_i^2 / 2, and its factor, d^3 / 3.
template <class Data>
double of_columns(const RobustSvm<Data>& problem) {
  const double d = static_cast<double>(problem.dim());
  const double gram = problem.rows.sum([&](Index i) {
    const double entries = static_cast<double>(problem.rows.nonzeros(i));
    return 0.5 * entries * entries;
  });
  return d > most_unknowns ? HUGE_VAL : gram + d * d * d / 3;
}
// The products of all rows in the metric of the cone, and their factor. Where neither a ridge nor a
// cone holds w there is no such metric.
template <class Data>
double of_rows(const RobustSvm<Data>& problem) {
  const double n = static_cast<double>(problem.n());
  if (n > most_unknowns || (problem.radius == 0 && problem.ridge == 0)) return HUGE_VAL;
  return 0.5 * n * problem.rows.nonzeros() + n * n * n / 3;
}
template <class Data>
double of_step(const RobustSvm<Data>& problem) {
  return std::min(of_rows(problem), of_columns(problem));
}
template <class Data>
bool over_rows(const RobustSvm<Data>& problem) {
  return of_rows(problem) < of_columns(problem);
}
template <class Data>
bool possible(const RobustSvm<Data>& problem) {
  return std::isfinite(of_step(problem));
}
template <class Data>
bool affordable(const RobustSvm<Data>& problem) {
  return of_step(problem) <= most_operations;
}

}  // namespace cost

}  // namespace dualmargin::robust
