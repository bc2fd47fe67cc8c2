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
//
// All classes in one problem have a weight vector each, the columns of w, and a loss of their k
// scores (loss/class_losses.h); w, u, b and the a_i have a column or an entry for each. Since the
// a_i sum to zero over the classes so do the columns of u: adding one vector to all of w changes no
// loss. The optimum of a ridge has \sum_c w_c = 0; with an l1 part of these sums each column has the
// one that makes its penalty least.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/kept.h"
#include "linear/free_columns.h"
#include "linear/solution.h"
#include "loss/class_losses.h"
#include "loss/elastic_net.h"
#include "loss/row_losses.h"
#include "rows/columns.h"
#include "rows/rows.h"
#include "run/outcome.h"

namespace dualmargin::linear {

// Losses: RowLosses or ClassLosses; compiled for both.
template <class L>
class ProblemOf {
 public:
  using Losses = L;
  using Array = typename Losses::Array;
  using W = Weights<Array>;
  using Solution = SolutionOf<Array>;

  Rows rows;
  L losses;
  ElasticNet penalty;             // of each class
  SeenOf<Array>* seen = nullptr;  // is told of every pair that is certified

  ProblemOf(const Rows& rows_, L losses_, const ElasticNet& g)
      : rows(rows_), losses(std::move(losses_)), penalty(g) {}
  ProblemOf(const ProblemOf&) = delete;

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double null_value() const { return losses.null_value(); }

  // What a method begins with: zero weights where there is no start. A start of several classes
  // with a ridge loses what their weight vectors have in common.
  Solution begin(const Solution& start, const char* solver) const;

  // x_i'w and sum_i q_i x_i
  Array multiply(const W& w, Tick& tick) const;
  W transpose_multiply(const Array& q, Tick& tick) const;
  // The same of w and of the q of a dual point. Those of the last asked for are kept: a method
  // certifies the point it returns, and its report asks once more.
  const Array& margins(const W& w, Tick& tick) const;
  const W& dual_sum(const Array& a, Tick& tick) const;

  // See run/outcome.h.
  Solution with_nothing(Solution s, bool primal, bool dual) const;
  SummedDualOf<Array> summed(Array a, Tick& tick) const;
  // Slopes at the best b are feasible as they are, but where columns bear no penalty. u: their sum.
  SummedDualOf<Array> of_slopes(const Array& a, const W& u, Tick& tick) const;
  // b becomes 0 unless it is free.
  ScoredPrimalOf<Array> scored(const PrimalOf<Array>& p, Tick& tick) const;

  // Any pair, a balanced where the intercept is free: d is scaled into the feasible set.
  // O(n + dim).
  Certificate certify(const ScoredPrimalOf<Array>& p, SummedDualOf<Array>& d, Tick& tick) const;
  Certificate told(const PrimalOf<Array>& p, const DualOf<Array>& d, const Certificate& c) const;
  // From the definitions.
  Certificate certify(Solution& s, Tick& tick) const;

 private:
  static constexpr bool several = std::is_same_v<Array, RowMat>;

  OneThread thread_;
  mutable bool knows_u_ = false;
  mutable Array known_a_, known_z_;
  mutable W known_u_, known_w_;

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
  //
  // Of several classes that point is (1 - theta) u + theta p with constant p (ClassLosses::balance),
  // theta at most the largest relative error of a class's mass. D is concave in it and its losses'
  // part is not above log k or 1, so it loses at most theta (log k + 1 + sum_c mean |z_c|) and the
  // square of its own dual sum, which is below 2 (mean |x|)^2; out of |u| <= l1 it comes back as
  // above.
  double rounding_of(const FenchelSums& sums, double value, const ScoredPrimalOf<Array>& p,
                     const SummedDualOf<Array>& dual, Tick& tick) const;
  // d_j / norm_j of each class: the additions that enter the error of a coordinate of a dual sum
  // and the roundings of a term omega_i a_i x_ij / W, times a_rms = sqrt(squares); and those of a_i
  // itself, which is stored next to a one (class_losses.h), where it was scaled.
  double dual_sum_rounding(double squares) const;

  // Where l2 is 0 and g* beyond l1 is a bound times what is beyond.
  double farthest_bound(Index j) const;
  // Must -u_j be within l1, where l2 is 0? On a side with a bound g* is finite beyond.
  bool must_fit(Index j, double u) const;

  // With an l1 part the raw dual point is useless where |u_j| > l1 by far: the best multiple theta
  // a is taken, up to 1 and without l2 up to `fits`, which keeps |u_j| <= l1 with room for the
  // rounding of u. Duals without constraints may then be any multiple. D(theta) is concave.
  double dual_scale(const SummedDualOf<Array>& d, const Array& z, double penalised,
                    Tick& tick) const;
};

class LinearProblem : public ProblemOf<RowLosses> {
 public:
  std::function<Columns()> columns;  // x by features, for the solvers that ask

  LinearProblem(const Rows& rows_, const LossPtr& loss, const ElasticNet& g, bool free);

  // max_i omega_i |x_i|^2 / (W gamma): the 1/(n gamma) of normalised rows without weights. Times n
  // it bounds the smoothness of every term n omega_i / W phi(x_i'w).
  double row_smoothness() const;
  FreeColumns free_columns() const { return {rows, losses, penalty.columns->free}; }
  ScoredPrimal scored_at_best(const Primal& p, Tick& tick) const;
  // Of a dual point, with the weights that belong to it; where the intercept is free with those that
  // are given, at the best b.
  Certificate certify_dual(linear::Solution& s, Tick& tick) const;
};

// y: classes, from 0. Of Crammer and Singer's loss a ridge.
class JointProblem : public ProblemOf<ClassLosses> {
 public:
  JointProblem(const Rows& rows_, const std::vector<Index>& y, const ClassLossPtr& loss,
               const ElasticNet& g, bool free, JointSeen* seen_ = nullptr);
};

// Of the best pair of a run, recomputed from its points.
template <class L>
Certificate certify_best(const ProblemOf<L>& problem, const BestOf<typename L::Array>& best,
                         Tick& tick) {
  SolutionOf<typename L::Array> s{best.primal(), best.dual(), ""};
  return problem.certify(s, tick);
}

// The better primal and the better dual point of two solutions: any pair makes a certificate.
template <class L, class Solution>
Solution best_of(const ProblemOf<L>& problem, Solution s, Solution later, Tick& tick) {
  const Certificate before = problem.certify(s, tick), after = problem.certify(later, tick);
  BestOf<typename L::Array> best;
  best.offer_primal(later, after.value);
  best.offer_dual(later, after.bound);
  best.offer_primal(s, before.value);
  best.offer_dual(s, before.bound);
  return {best.primal(), best.dual(), later.solver};
}

// What a method leaves: its last pair where that is certified or asked for, else the best points.
template <class L, class Solution>
Solution best_of(const ProblemOf<L>& problem, const BestOf<typename L::Array>& best, Solution last,
                 Run& run) {
  if (run.status() == Status::certified || run.iterate() == Iterate::last) return last;
  Solution s{best.primal(), best.dual(), last.solver};
  return best_of(problem, std::move(s), std::move(last), run.tick());
}

// What leaves the linear family: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
template <class Array>
struct ReportOf : Outcome {
  SolutionOf<Array> solution;
  Array scores;
  // of a loss in the unit of the residuals; see residual_scale.h
  double residual_scale = -1;
  int rounds = 0;
};
using Report = ReportOf<RowVec>;
using JointReport = ReportOf<RowMat>;

// The relative gap that rounding permits. Scores of rows of norm R carry errors of 2e-16 R |w|; the
// gradient inherits them, and a ridge gap is |gradient|^2 / (2 l2).
double rounding_floor(const Rows& rows, const ElasticNet& g, double value);

template <class L>
ReportOf<typename L::Array> report(const ProblemOf<L>& problem, SolutionOf<typename L::Array> s,
                                   Run& run);

}  // namespace dualmargin::linear
