// Sets of columns: which to work on, and how far from its optimum the problem on a set is.
#pragma once

#include <algorithm>
#include <vector>

#include "linear/erm.h"
#include "linear/screening.h"

namespace dualmargin::linear {

// The columns in use, those with |u_j| > l1, and where these are fewer than `size` the nearest to
// entering, (l1 - |u_j|) / |x_j| smallest; in ascending order.
inline std::vector<Index> nearest_columns(const Screening& screening, const ElasticNet& g,
                                          const Vec& w, const Vec& u, Index size) {
  std::vector<Index> set, others;
  for (Index j : screening.live()) {
    (w[j] != 0 || std::abs(u[j]) > g.l1 ? set : others).push_back(j);
  }
  const Index room = std::max<Index>(0, size - static_cast<Index>(set.size()));
  if (static_cast<Index>(others.size()) > room) {
    const Vec& norm = screening.norms();
    const auto distance = [&](Index j) {
      return (g.l1 - std::abs(u[j])) / std::max(norm[j], 1e-300);
    };
    std::nth_element(others.begin(), others.begin() + room, others.end(),
                     [&](Index i, Index j) { return distance(i) < distance(j); });
    others.resize(room);
  }
  set.insert(set.end(), others.begin(), others.end());
  std::sort(set.begin(), set.end());
  return set;
}

// The gap of the problem with penalty g on the set alone, at (w, z) and theta times the slopes a,
// theta being 1 or the largest with g* = 0.
template <class Data>
double set_gap(const Erm<Data>& problem, const ElasticNet& g, const std::vector<Index>& set,
               const Vec& w, const Vec& z, const Vec& a, const Vec& u) {
  double largest = 0;
  for (Index j : set) largest = std::max(largest, std::abs(u[j]));
  const double fits = largest > g.l1 ? g.l1 / largest * (1 - 4e-16) : 1;
  const auto gap = [&](double theta) {
    return sum_over(static_cast<Index>(set.size()),
                    [&](Index k) { return g.gap(w[set[k]], theta * u[set[k]]); });
  };
  const double whole = g.l2 > 0 || fits == 1 ? gap(1) : HUGE_VAL;  // the losses' share is 0
  if (fits == 1) return whole;
  const double losses = problem.row_loss.fenchel_gap(problem.weights, z, a, fits, problem.y);
  return std::min(whole, gap(fits) + losses / problem.total_weight);
}

}  // namespace dualmargin::linear
