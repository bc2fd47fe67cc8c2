// A pair of a penalised problem (linear/problem.h): a scored primal point (w, b), a feasible dual
// point a, the terms omega_i [phi(z_i) + phi^*(a_i) - a_i z_i] of their gap one by one, and bounds
// of what rounding did to all of it. Everything that is said of the optimum follows from one.
#pragma once

#include "loss/elastic_net.h"
#include "loss/loss.h"
#include "loss/row_losses.h"
#include "rows/rows.h"

namespace dualmargin::region {

// Geometry: where rows and w live, the columns of a matrix (rows/rows.h) or the functions of a
// kernel (function_rows.h).
template <class Geometry>
class ProblemIn {
 public:
  const Geometry& rows;
  const ElasticNet g;
  const RowLosses losses;  // loss, labels, weights and what a free intercept needs
  const Loss& phi;         // of the losses
  const RowVec share;      // omega / W

  ProblemIn(const Geometry& rows_, const LossPtr& phi_, const ElasticNet& g_, bool free)
      : rows(rows_),
        g(g_),
        losses(phi_, rows_.y, rows_.weights, free, rows_.team, rows_.total_weight),
        phi(losses.loss),
        share(rows_.weights / rows_.total_weight) {}

  bool free() const { return losses.free_intercept; }
  Index n() const { return rows.n(); }
  double y(Index i) const { return losses.y[i]; }
  double omega(Index i) const { return losses.omega[i]; }
  double total_weight() const { return rows.total_weight; }
  // (1/W) sum omega t_i; all terms of a sum of a number of a row each are off by this share of
  // sizes
  template <class Term>
  double mean(Term term) const {
    return rows.sum([&](Index i) { return share[i] == 0 ? 0.0 : share[i] * term(i); });
  }
  decltype(auto) sizes(Tick& tick) const { return rows.column_sizes(tick); }
  // What adding up u = (1/W) sum omega a x loses, in units of a_rms and of the stored columns.
  double cross_rounding() const { return rounding::of(rows.additions() + 8); }
};

using Problem = ProblemIn<Rows>;

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
double excess_above(const Loss& phi, double z, double a, double y, double e);

// (1/W) sum omega t_i from above, of terms t_i >= 0.
template <class Geometry, class Term>
double mean_above(const ProblemIn<Geometry>& problem, Term term) {
  return problem.mean(term) * (1 + rounding::of_value());
}

// The terms of the gap, once scores and dual point are known.
template <class Geometry>
void find_excess(const ProblemIn<Geometry>& problem, RowTerms& pair);

// phi' at the scores.
template <class Geometry>
RowVec slopes_of(const ProblemIn<Geometry>& problem, const RowTerms& pair) {
  return RowVec::of(problem.n(),
                    [&](Index i) { return problem.phi.left(pair.z[i], problem.y(i)); });
}

// a need not be feasible: it is made so.
Pair pair_of(const Problem& problem, Vec w, double b, RowVec a, Tick& tick);

}  // namespace dualmargin::region
