// The default: which of the methods of this family, in which order, for how long.
//
// With an l1 part, a smooth loss and many columns it is the working-set method. Otherwise the
// finisher is a second-order method: Newton's for a smooth loss; for another SSNAL or the interior
// point method, whichever takes fewer seconds by the estimates, and the other where that creeps.
// Dual coordinate descent comes first where a few of its passes cost little beside the finisher, and
// goes on as long as its rate promises the end for less than the finisher takes (cost::dual_passes).
// Where one method creeps another has its turn: none is left out before the end.
//
// Bounds of coefficients are kinks of the penalty, as those of an l1 part are. Under a smooth loss
// and a ridge alone, proximal gradient steps and the dual method have their turns too. Where some
// columns bear no penalty it is Newton's method, with proximal gradient steps where it creeps.
// Newton's method on an l1 problem gets a limited run as well, then the working-set method one.
#include "linear/auto.h"

#include <utility>
#include <vector>

#include "linear/dual_cd.h"
#include "linear/estimate.h"
#include "linear/fista.h"
#include "linear/interior_point.h"
#include "linear/lasso.h"
#include "linear/newton.h"
#include "linear/ssnal.h"
#include "run/relay.h"

namespace dualmargin::linear {

namespace {

// The better primal and the better dual point of two solutions: any pair makes a certificate.
Solution best_of(const LinearProblem& problem, Solution s, Solution later, Tick& tick) {
  const Certificate before = problem.certify(s, tick), after = problem.certify(later, tick);
  Best best;
  best.offer_primal(later, after.value);
  best.offer_dual(later, after.bound);
  best.offer_primal(s, before.value);
  best.offer_dual(s, before.bound);
  return {best.primal(), best.dual(), later.solver};
}

}  // namespace

Solution automatic(const LinearProblem& problem, const AutoOptions& options, const Solution& start,
                   Sampler& sampler, Run& run) {
  using Method = Stage<Solution>;
  const auto second_order = [&](const Solution& s) {
    if (problem.losses.smooth()) return newton(problem, NewtonOptions{}, s, sampler, run);
    SsnalOptions smoothed;
    if (s.a.size() > 0) smoothed.gamma = 0.1;  // a warm dual point: smooth less around it
    return ssnal(problem, smoothed, s, sampler, run);
  };
  const auto by_columns = [&](const Solution& s) {
    return lasso(problem, LassoOptions{}, s, sampler, run);
  };
  const auto inner = [&](const Solution& s) {
    return interior_point(problem, {}, s, sampler, run);
  };
  const auto dual = [&](const Solution& s) { return dual_cd(problem, {}, s, sampler, run); };
  const bool smooth = problem.losses.smooth(), flat = has_flat_pieces(problem.losses.loss);
  const bool cold = start.w.size() == 0 && start.a.size() == 0;
  const StopRule no_limit;

  const auto gradient = [&](const Solution& s) {
    return fista(problem, FistaOptions{}, s, sampler, run);
  };
  const auto stages = [&]() -> std::vector<Method> {
    if (problem.penalty.any_free()) {
      return {{{cost::newton_trial}, second_order},
              {{cost::columns_trial}, gradient},
              {no_limit, second_order}};
    }
    const bool strong = problem.penalty.l2 > 0, sparse = problem.penalty.l1 > 0;
    const cost::Shape shape = cost::shape(problem);
    const cost::Estimate estimate(shape);
    if (smooth && sparse && estimate.l1_sets() < estimate.l1_newton()) {
      return {{no_limit, by_columns}};
    }
    const bool matrix = problem.dim() <= cost::interior_columns;
    const double outer = smooth ? estimate.newton() : estimate.ssnal();
    const double inside = !smooth && matrix ? estimate.interior() : HUGE_VAL;
    const cost::DualPasses passes =
        cost::dual_passes(shape, options.dual_passes, std::min(outer, inside));
    const Method first{{HUGE_VAL, options.dual_passes, passes.more}, dual, [=](const Solution&) {
                         return cold && strong && options.dual_passes > 0 && passes.pay;
                       }};
    // Flat pieces make Newton's steps short from where the dual method gave up; from the minimum of
    // a sample of the rows, where it starts by itself, they are not.
    const auto anew = [=](const Solution& s) {
      return second_order(cold && flat ? Solution() : s);
    };
    if (smooth && sparse) {  // each has rows on which the other creeps
      return {first,
              {{cost::l1_model_trial}, second_order},
              {{cost::columns_trial}, by_columns},
              {no_limit, second_order}};
    }
    if (smooth && problem.penalty.bounded()) {
      return {first,
              {{cost::l1_model_trial}, second_order},
              {{cost::columns_trial}, gradient},
              {{cost::dual_trial}, dual},
              {no_limit, gradient}};
    }
    if (smooth && strong) {
      // Newton's step is a difference of large numbers where l2 is tiny beside |x_i|^2; a
      // coordinate step in the dual is not
      return {first,
              {{HUGE_VAL, cost::newton_trial, cost::newton_trial}, anew},
              {{cost::dual_trial}, dual},
              {no_limit, second_order}};
    }
    if (smooth) return {{no_limit, second_order}};
    // on far rows, or fewer than columns, the scores of SSNAL's subproblems round at a gap that a
    // coordinate step in the dual, a closed form of one row, goes below
    const Method by_rows{{cost::dual_trial}, dual};
    if (matrix) {
      const Method last = strong ? by_rows : Method{no_limit, second_order};
      // which knows no start
      if (cold && !sparse && inside < outer) {
        if (!strong) return {first, {no_limit, inner}, last};
        return {first, {no_limit, inner}, last, {no_limit, second_order}};
      }
      const double steps = std::min(inside / estimate.ssnal_step(), cost::ssnal_trial);
      return {first, {{HUGE_VAL, steps / 2, steps}, second_order}, {no_limit, inner}, last};
    }
    if (!strong) return {{no_limit, second_order}};
    return {first,
            {{cost::newton_trial}, second_order},
            by_rows,
            {no_limit, second_order},
            {no_limit, dual}};
  };
  return relay(start, stages(), run, [&](Solution before, Solution after) {
    return best_of(problem, std::move(before), std::move(after), run);
  });
}

}  // namespace dualmargin::linear
