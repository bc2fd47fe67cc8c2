// Working sets of columns for problems with an l1 part and a smooth loss: M. Massias, A. Gramfort
// and J. Salmon (2018), "Celer: a fast solver for the Lasso with dual extrapolation", ICML,
// arXiv:1802.07481, algorithm 4; with the proximal Newton method of G.-X. Yuan, C.-H. Ho and C.-J.
// Lin (2012), Journal of Machine Learning Research 13, 1999-2030, on the set.
//
//   min_{w,b}  (1/W) sum_i omega_i phi(w'x_i + b; y_i) + l1 |w|_1 + l2/2 |w|^2,   w within bounds
//
//   a   dual point: slopes at (w, exact b), scaled into the feasible set; or extrapolated
//   u   (1/W) sum_i omega_i a_i x_i; at the optimum u_j + l2 w_j = -l1 sign(w_j), |u_j| <= l1
//       where w_j = 0; at a bound the side that leads beyond it does not count
//
// differs: the paper solves the set by cyclic coordinate descent on the objective; here coordinate
// descent and conjugate gradients solve a Newton model of it, which pays where columns correlate.
#pragma once

#include "linear/column_view.h"
#include "linear/dual_extrapolation.h"
#include "linear/proximal_newton.h"
#include "linear/screening.h"
#include "linear/working_set.h"

namespace dualmargin::linear {

struct LassoOptions {
  Index working_set = 100;  // size of the first set
  bool extrapolation = true, screening = true;
};

inline Solution lasso(const LinearProblem& problem, const LassoOptions& options,
                      const Solution& start, Run& run) {
  const ElasticNet& g = problem.penalty;
  const Columns x = problem.columns();
  Screening screening(problem, x, run);
  DualExtrapolation extrapolation;
  Best incumbent(run.iterate());
  Vec gradient;         // u at the slopes
  Vec best_dual_sum;    // u of the incumbent's dual point
  double rounding = 0;  // of its certificate
  double l1 = 0;        // of the stage
  ProximalNewton<ColumnView> descent(problem, run, x);
  const bool cold = start.w.size() != x.dim();
  descent.start(cold ? Vec::Zero(x.dim()) : start.w, start.b);

  const auto offer_dual_point = [&](RowVec a) {
    problem.losses.balance(a);
    Vec u = descent.dual_sum(a, screening.live());
    SummedDual dual{{std::move(a)}, u};
    const ScoredPrimal primal{{descent.w(), descent.b()}, descent.scores()};
    const Certificate c = problem.certify(primal, dual, run);
    incumbent.offer_primal(primal, c.value, c.rounding);
    if (c.bound > incumbent.bound()) {
      best_dual_sum = dual.u;
      rounding = c.rounding;
    }
    incumbent.offer_dual(dual, c.bound);
    return u;
  };
  // Of the columns that are left: what was screened is zero in every optimum, so that a bound for
  // the others is a bound for all. The last word is said on all columns.
  const auto carried = [&] {
    gradient = offer_dual_point(descent.slope());
    RowVec scores;
    if (options.extrapolation && l1 == g.l1) {
      extrapolation.push(descent.scores().local());
      if (extrapolation.combine(scores.local())) {
        Slopes at;
        problem.losses.slopes_at_best(scores, RowVec::Zero(problem.n()), 0, 0, at);
        offer_dual_point(std::move(at.slope));
      }
    }
    return incumbent.certificate();
  };
  const auto exact = [&] { return certify_best(problem, incumbent, run); };

  if (start.a.size() == problem.n()) offer_dual_point(start.a);
  // A large set is reached by way of larger l1, each solution the start of the next: there few
  // columns are in use, and steps on too few of them would be steps of another problem.
  while (run.proceed(carried, exact, 0)) {
    const double gap = std::max(incumbent.value() - incumbent.bound(), 0.0);
    // a first point without numbers leaves no dual point to screen by
    if (options.screening && best_dual_sum.size() > 0) {
      // twice, as the scores are carried along
      descent.discard(
          screening.remove(g, problem.losses.gamma(), best_dual_sum, gap, 2 * rounding));
    }
    const bool few = static_cast<Index>(screening.live().size()) <= 3 * options.working_set;
    const double ahead = few ? 0 : 0.4 * (l1 == 0 ? gradient.cwiseAbs().maxCoeff() : l1);
    l1 = std::max(g.l1, ahead);
    const bool last = l1 == g.l1;
    if (!last) run.renew_patience();
    const ElasticNet stage{l1, g.l2, g.columns};
    descent.penalise(stage);
    descent.look_at(working_set(screening.live(), stage, descent.w(), gradient, screening.norms(),
                                {options.working_set}),
                    last ? 0.03 : 0.1, last ? 60 : 10);
    for (int step = 0; step < (last ? 12 : 1) && !run.exhausted(); ++step) {
      if (descent.gap() <= (last ? 0.1 * gap : 0)) break;
      descent.aim();
      if (!run.in_time() || !descent.move()) break;
    }
  }
  return {incumbent.primal(), incumbent.dual(), "lasso"};
}

}  // namespace dualmargin::linear
