// Regularised empirical risk minimisation, the problem of the linear family:
//
//   P(w, b) = \frac1W \sum_i \omega_i \phi(w^\top x_i + b; y_i) + g(w),    W = \sum_i \omega_i
//   D(a)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - g^*(-u)
//   u       = \frac1W \sum_i \omega_i a_i x_i
//
// with g the elastic net. D(a) <= P(w, b) for every a in the domain of phi^* that, when the
// intercept b is free, also satisfies \sum_i \omega_i a_i = 0, and u_j = 0 for every column j that
// bears no penalty (free_columns.h). A penalised intercept is the data's bias coordinate; without
// one b stays 0. With an offset o_i the loss of a row is phi(z + o_i), its
// conjugate phi^*(a) - a o_i (loss/row_losses.h), and z stays x_i'w + b. The gap is summed as
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i z_i] + [g(w) + g^*(-u) + u^\top w],
//
// whose terms are non-negative one by one (Fenchel-Young), so nothing cancels near the optimum.
// What rounding can have done to it is bounded by the size of the terms (rounding_of() below).
#pragma once

#include <functional>

#include "base/kept.h"
#include "linear/free_columns.h"
#include "linear/solution.h"
#include "loss/elastic_net.h"
#include "loss/row_losses.h"
#include "rows/columns.h"
#include "rows/rows.h"
#include "run/outcome.h"

namespace dualmargin::linear {

struct LinearProblem {
  Rows rows;
  RowLosses losses;
  ElasticNet penalty;
  std::function<Columns()> columns;  // x by features, for the solvers that ask
  Seen* seen = nullptr;              // is told of every pair that is certified

  LinearProblem(const Rows& rows_, const LossPtr& loss, const ElasticNet& g, bool free);
  LinearProblem(const LinearProblem&) = delete;

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double null_value() const { return losses.null_value(); }

  // What a method begins with: zero weights where there is no start.
  Solution begin(const Solution& start, const char* solver) const;

  // max_i omega_i |x_i|^2 / (W gamma): the 1/(n gamma) of normalised rows without weights. Times n
  // it bounds the smoothness of every term n omega_i / W phi(x_i'w).
  double row_smoothness() const;

  // u of a dual point. That of the last point asked for is kept, as are the scores: a method
  // certifies the point it returns, and its report asks once more.
  const Vec& dual_sum(const RowVec& a, Tick& tick) const;
  // x_i'w
  const RowVec& margins(const Vec& w, Tick& tick) const;
  // See run/outcome.h.
  Solution with_nothing(Solution s, bool primal, bool dual) const;
  FreeColumns free_columns() const { return {rows, losses, penalty.columns->free}; }
  SummedDual summed(RowVec a, Tick& tick) const;
  // Slopes at the best b are feasible as they are, but where columns bear no penalty. u: their sum.
  SummedDual of_slopes(const RowVec& a, const Vec& u, Tick& tick) const;
  // b becomes 0 unless it is free.
  ScoredPrimal scored(const Primal& p, Tick& tick) const;
  ScoredPrimal scored_at_best(const Primal& p, Tick& tick) const;

  // Any pair, a balanced where the intercept is free: d is scaled into the feasible set.
  // O(n + dim).
  Certificate certify(const ScoredPrimal& p, SummedDual& d, Tick& tick) const;
  Certificate told(const Primal& p, const Dual& d, const Certificate& c) const;
  // From the definitions.
  Certificate certify(Solution& s, Tick& tick) const;
  // Of a dual point, with the weights that belong to it; where the intercept is free with those that
  // are given, at the best b.
  Certificate certify_dual(Solution& s, Tick& tick) const;

 private:
  OneThread thread_;
  mutable bool knows_u_ = false;
  mutable RowVec known_a_, known_z_;
  mutable Vec known_u_, known_w_;

  // How far value - gap, as computed, can be above D(a) of the exactly feasible a next to the one
  // that was stored. With scores z + e and a dual sum u + d that are wrong by e and d,
  //
  //   value - gap - D(a) = (1/W) sum omega a e + b/W sum omega a - d'w + g^*(-u) - g^*(-u - d)
  //                        + roundings of the summed terms themselves,
  //
  // where g^* is convex: its difference and d'w are together at most |d|'|grad g^*(-u - d) - w| +
  // |d|^2 / l2. Terms: some roundings each, in units of |phi| + |phi^*| + |a z|, l1 |w|, ... (b is
  // in z). Scores: |e_i| <= k u sum_j |x_ij| |w_j|, k of the longest row, base/rounding.h, and by
  // Cauchy and Schwarz
  //   (1/W) sum omega |a_i| |x_ij| <= a_rms norm_j,
  // which bounds |d_j| likewise. Without l2 the point has room for d (dual_scale()): g^* is 0 at
  // both, and d'w is left. With little l2 a factor 1 - max |d_j| / l1 makes it, at the expense of
  // that share of D(a) - D(0), D being concave. Without a penalty u_j itself is what rounding has
  // left: it stands with w_j as sum omega a does with b, |w_j| no less than scores are made of.
  double rounding_of(const FenchelSums& sums, double value, const Vec& w, const Vec& u,
                     Tick& tick) const;
  // d_j / norm_j: the additions that enter the error of a coordinate of a dual sum and the
  // roundings of a term omega_i a_i x_ij / W, times a_rms
  double dual_sum_rounding(double a_rms) const;

  // Where l2 is 0 and g* beyond l1 is a bound times what is beyond.
  double farthest_bound(Index j) const;
  // Must -u_j be within l1, where l2 is 0? On a side with a bound g* is finite beyond.
  bool must_fit(Index j, double u) const;

  // With an l1 part the raw dual point is useless where |u_j| > l1 by far: the best multiple theta
  // a is taken, up to 1 and without l2 up to `fits`, which keeps |u_j| <= l1 with room for the
  // rounding of u. Duals without constraints may then be any multiple. D(theta) is concave.
  double dual_scale(const SummedDual& d, double value, Tick& tick) const;
};

// Of the best pair of a run, recomputed from its points.
Certificate certify_best(const LinearProblem& problem, const Best& best, Tick& tick);

// What leaves the linear family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
struct Report : Outcome {
  Solution solution;
  RowVec scores;
  // of a loss in the unit of the residuals; see residual_scale.h
  double residual_scale = -1;
  int rounds = 0;
};

// The relative gap that rounding permits. Scores of rows of norm R carry errors of 2e-16 R |w|; the
// gradient inherits them, and a ridge gap is |gradient|^2 / (2 l2).
double rounding_floor(const Rows& rows, const ElasticNet& g, double value);

Report report(const LinearProblem& problem, Solution s, Run& run);

}  // namespace dualmargin::linear
