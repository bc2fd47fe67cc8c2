// The rows of one ridge problem of the linear family, scaled once, and what certificates at any penalty
// ask of them and of a solved point. Not a Workspace: here fits are made, by the loss and the
// problem of the solver, and of each a few numbers outlive its penalty; no region is asked of, so
// that rows are not moved.
#pragma once

#include "linear/problem.h"

namespace dualmargin::decide {

// A primal point with its scores z, each off by at most wander(norm of the row), and a dual point
// with u = (1/W) sum omega a x, e = lambda w + u and the misfit of misfit(). gradient: of P, in the
// columns and the free intercept.
struct AlongPoint {
  double lambda = 0, b = 0;
  RowVec z, a;
  Vec w, u, e;
  Vec gradient;  // where it was asked for
  double misfit = 0;
  double w1 = 0, ww = 0, ee = 0;  // |w|_1, w'w, e'e
  double du = 0;                  // what rounding did to |u|
  double wander_slope = 0, wander_level = 0;

  double wander(double norm) const { return wander_slope * norm + wander_level; }
};

enum class Wanted { primal, pair };

class AlongRows {
 public:
  const Rows rows;
  const LossPtr held;
  const Loss& loss;
  const bool free;

  // All rows have weight.
  AlongRows(const Rows& rows_, const LossPtr& loss_, bool free_);

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double norm(Index i) const { return rows.lengths()[i]; }
  double largest_norm() const;
  // sum_j |x_ij|
  double size(Index i) const { return sums_[i]; }
  template <class Term>  // sum_i omega_i/W term(i)
  double mean(Term term) const {
    return rows.sum([&](Index i) { return rows.share(i) * term(i); });
  }
  linear::LinearProblem problem(double lambda) const;
  double score_rounding() const { return 2 * rounding::of_score(rows.longest_row()); }

  // s: as a solver of the linear family returned it at lambda, its dual point feasible.
  AlongPoint point(const linear::Solution& s, double lambda, Wanted wanted, Tick& tick) const;

  // (1/W) sum omega [phi(z) + phi*(a) - a z] from above: with the rounding of the terms, of the
  // scores, by which a term moves at most dz times the largest distance of a slope near z from a,
  // and of the balance of a, which counts times a score where the intercept is free.
  double misfit(const AlongPoint& p) const;

  double slope(const AlongPoint& p, Index i) const { return loss.slope(p.z[i], y(i)); }
  // phi''; of the logistic loss not p (1 - p), which is 0 for a row that is far on the wrong side.
  double curvature(double z, Index i) const;
  double y(Index i) const { return rows.y[i]; }

  // The gradient of P.
  Vec gradient_of(const AlongPoint& p, Tick& tick) const;

 private:
  const RowVec sums_;
};

}  // namespace dualmargin::decide
