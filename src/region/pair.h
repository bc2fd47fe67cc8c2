// A pair of a penalised problem (linear/problem.h): a scored primal point (w, b), a feasible dual
// point a, the terms omega_i [phi(z_i) + phi^*(a_i) - a_i z_i] of their gap one by one, and bounds
// of what rounding did to all of it. Everything that is said of the optimum follows from one.
#pragma once

#include <algorithm>
#include <utility>

#include "loss/elastic_net.h"
#include "loss/row_losses.h"
#include "region/calculus.h"
#include "region/moved_rows.h"

namespace dualmargin::region {

// Geometry: where rows and w live, the columns of a matrix (moved_rows.h) or the functions of a
// kernel (function_rows.h).
template <class Geometry>
class ProblemIn {
 public:
  const Geometry& rows;
  const Calculus phi;
  const ElasticNet g;
  const RowLosses losses;  // loss, labels, weights and what a free intercept needs
  const RowVec share;      // omega / W

  ProblemIn(const Geometry& rows_, const Calculus& phi_, const ElasticNet& g_, bool free)
      : rows(rows_),
        phi(phi_),
        g(g_),
        losses(phi_.loss(), rows_.rows.y, rows_.rows.weights, free, rows_.rows.team,
               rows_.rows.total_weight),
        share(rows_.rows.weights / rows_.rows.total_weight) {}

  bool free() const { return losses.free_intercept; }
  Index n() const { return rows.n(); }
  double y(Index i) const { return losses.y[i]; }
  double omega(Index i) const { return losses.omega[i]; }
  double total_weight() const { return rows.rows.total_weight; }
  // (1/W) sum omega t_i; all terms of a sum of a number of a row each are off by this share of
  // sizes
  template <class Term>
  double mean(Term term) const {
    return rows.rows.sum([&](Index i) { return share[i] == 0 ? 0.0 : share[i] * term(i); });
  }
  decltype(auto) sizes(Tick& tick) const { return rows.column_sizes(tick); }
  // What adding up u = (1/W) sum omega a x loses, in units of a_rms and of the stored columns.
  double cross_rounding() const { return rounding::of(rows.rows.additions() + 8); }
};

using Problem = ProblemIn<MovedRows>;

// What is known of a pair row by row.
struct RowTerms {
  double b = 0;
  RowVec a, z, z_rounding;
  RowVec excess;           // a row, with its rounding; 0 for a row without weight
  double mean_excess = 0;  // F = (1/W) sum omega excess, from above
};
struct Pair : RowTerms {
  Vec w, u, u_rounding;
};

// phi(z) + phi^*(a) - a z of a row with its rounding: terms of a few roundings each, and a score
// that is off by e, which by convexity changes phi(z) - a z by at most e times the largest
// difference of a slope within e of z from a.
inline double excess_above(const Calculus& phi, double z, double a, double y, double e) {
  const double excess = phi.excess(z, a, y);
  const double size = 2 * (phi.loss().value(z, y) + std::abs(a * z)) + excess + std::abs(a * y);
  const double off = std::max(std::abs(phi.left(z - e, y) - a), std::abs(phi.right(z + e, y) - a));
  return excess + rounding::of_term() * size + e * off;
}

// (1/W) sum omega t_i from above, of terms t_i >= 0.
template <class Geometry, class Term>
double mean_above(const ProblemIn<Geometry>& problem, Term term) {
  return problem.mean(term) * (1 + rounding::of_value());
}

// The terms of the gap, once scores and dual point are known.
template <class Geometry>
void find_excess(const ProblemIn<Geometry>& problem, RowTerms& pair) {
  pair.excess = RowVec::Zero(problem.n());
  for (Index i = 0; i < problem.n(); ++i) {
    if (!(problem.omega(i) > 0)) continue;
    pair.excess[i] =
        excess_above(problem.phi, pair.z[i], pair.a[i], problem.y(i), pair.z_rounding[i]);
  }
  pair.mean_excess = mean_above(problem, [&](Index i) { return pair.excess[i]; });
}

// a need not be feasible: it is made so.
inline Pair pair_of(const Problem& problem, Vec w, double b, RowVec a, Tick& tick) {
  const auto& rows = problem.rows;
  const Index n = problem.n();
  Pair pair;
  for (Index i = 0; i < n; ++i) a[i] = problem.phi.nearest(a[i], problem.y(i));
  problem.losses.balance(a);
  pair.z = rows.multiply(w, tick) + b;
  pair.z_rounding = rows.roundings(w, b, tick);
  pair.u = rows.cross(problem.share * a, tick);
  const double a_rms = std::sqrt(problem.mean([&](Index i) { return a[i] * a[i]; }));
  pair.u_rounding = problem.cross_rounding() * a_rms * problem.sizes(tick).stored;
  pair.w = std::move(w);
  pair.b = b;
  pair.a = std::move(a);
  find_excess(problem, pair);
  return pair;
}

}  // namespace dualmargin::region
