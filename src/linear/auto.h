// The default: which of the methods of this family, in which order, for how long.
//
// With an l1 part, a smooth loss and many columns it is the working-set method. Otherwise the
// finisher is a second-order method: Newton's for a smooth loss, SSNAL for another; where SSNAL is
// slow, or would be on some hundred columns and few rows for each, the interior point method where
// there are few columns, then with a ridge the dual method, as where there are many. Dual
// coordinate descent comes first
//   where |x_i|^2 / (W l2 gamma) is small, so that a pass gains a constant factor and eight often
//   suffice, or as long as its rate promises the tolerance soon, on rows with many more columns than
//   there are rows, or under a loss with kinks few entries a column;
//   on wide rows under a loss with flat pieces, whose Newton systems are large and change with
//   every row that crosses a kink: as long as its rate promises the tolerance soon. Where it does
//   not, the finisher gets a limited run, then both of them all the time they need;
//   on wide dense rows under a smooth loss, where the products that Newton's method needs first
//   cost many of its passes: as long as its rate promises the tolerance within fewer.
// Where coefficients have bounds these are the methods that know them: proximal gradient steps
// under a smooth loss, for which the dual method stands in where they creep; the dual method under
// another. Where some bear no penalty it is Newton's method, with proximal gradient steps where it
// creeps.
// Newton's method on an l1 problem gets a limited run as well, then the working-set method one.
#pragma once

#include <utility>
#include <vector>

#include "linear/cost_model.h"
#include "linear/fista.h"
#include "linear/interior_point.h"
#include "linear/lasso.h"
#include "linear/newton.h"
#include "linear/path_scale.h"
#include "linear/ssnal.h"
#include "run/relay.h"

namespace dualmargin::linear {

struct AutoOptions {
  double dual_passes = 8;
};

template <class Problem>
bool working_sets_pay(const Problem& problem) {
  if (problem.penalty.l1 <= 0 || !problem.losses.smooth()) return false;
  const double n = static_cast<double>(problem.n()), p = static_cast<double>(problem.dim());
  return p > cost::model_columns_many ||
         (p > cost::model_columns_few && cost::model_rows_a_column * p > n);
}

inline bool has_flat_pieces(const AnyLoss& loss) {
  constexpr double far = 30;  // well past every kink, and no underflow yet
  return loss.curvature(far, 1, 0, 0, loss.slope(far, 1)) == 0;
}

template <class Problem>
bool wide_and_flat(const Problem& problem) {
  if (!has_flat_pieces(problem.losses.loss) || problem.penalty.l2 <= 0) return false;
  const double n = static_cast<double>(problem.n()), p = static_cast<double>(problem.dim());
  return p > cost::wide && (!problem.losses.smooth() || p > cost::flat_columns_a_row * n);
}

template <class Problem>
bool wide_and_dense(const Problem& problem) {
  const Index n = problem.n(), p = problem.dim();
  const bool strong = problem.penalty.l1 == 0 && problem.penalty.l2 > 0;
  if (!problem.losses.smooth() || !strong || n < cost::product_rows || 2 * p < n) return false;
  return problem.rows.nonzeros() >
         cost::dense_share * static_cast<double>(n) * static_cast<double>(p);
}

template <class Problem>
double entries_a_column(const Problem& problem) {
  return problem.rows.nonzeros() / static_cast<double>(problem.dim());
}

template <class Problem>
bool few_rows(const Problem& problem) {
  return static_cast<double>(problem.dim()) >
         cost::columns_a_row * static_cast<double>(problem.n());
}

template <class Problem>
bool few_rows_a_column(const Problem& problem) {
  const Index n = problem.n(), p = problem.dim();
  return p >= cost::interior_first && n >= p &&
         static_cast<double>(n) <= cost::interior_rows_a_column * static_cast<double>(p);
}

template <class Problem>
bool dual_passes_pay(const Problem& problem) {
  if (problem.penalty.l2 <= 0) return false;
  const double n = static_cast<double>(problem.n()), p = static_cast<double>(problem.dim());
  if (problem.losses.smooth()) {
    const bool closed_form = has_flat_pieces(problem.losses.loss);
    if (few_rows(problem)) return true;
    if (!closed_form || p <= cost::flat_columns_a_row * n) return false;
  } else if (entries_a_column(problem) > cost::column_entries) {
    return false;
  }
  const double q = mean_curvature(problem) / (problem.rows.total_weight * problem.penalty.l2);
  return q <= cost::dual_condition;
}

// The better primal and the better dual point of two solutions: any pair makes a certificate.
template <class Problem>
Solution best_of(const Problem& problem, Solution s, Solution later, Tick& tick) {
  const Certificate before = problem.certify(s, tick), after = problem.certify(later, tick);
  Best best;
  best.offer_primal(later, after.value);
  best.offer_dual(later, after.bound);
  best.offer_primal(s, before.value);
  best.offer_dual(s, before.bound);
  return {best.primal(), best.dual(), later.solver};
}

// dual: dual coordinate descent, with the loss as a type
template <class Problem, class Dual>
Solution automatic(const Problem& problem, const AutoOptions& options, Dual dual,
                   const Solution& start, Sampler& sampler, Run& run) {
  using Method = Stage<Solution>;
  const auto second_order = [&](const Solution& s) {
    if (problem.losses.smooth()) return newton(problem, NewtonOptions{}, s, sampler, run);
    SsnalOptions smoothed;
    if (s.a.size() > 0) smoothed.gamma = 0.1;  // a warm dual point: smooth less around it
    return ssnal(problem, smoothed, s, sampler, run);
  };
  const auto by_columns = [&](const Solution& s) { return lasso(problem, LassoOptions{}, s, run); };
  const auto inner = [&](const Solution&) { return interior_point(problem, run); };
  const bool smooth = problem.losses.smooth(), flat = has_flat_pieces(problem.losses.loss);
  const bool cold = start.w.size() == 0 && start.a.size() == 0, passes = options.dual_passes > 0;
  const StopRule no_limit;

  const auto gradient = [&](const Solution& s) { return fista(problem, FistaOptions{}, s, run); };
  const auto stages = [&]() -> std::vector<Method> {
    if (problem.penalty.bounded()) {
      if (!smooth) return {{no_limit, dual}};
      if (problem.penalty.l2 <= 0) return {{no_limit, gradient}};
      return {{{cost::columns_trial}, gradient}, {{cost::dual_trial}, dual}, {no_limit, gradient}};
    }
    if (problem.penalty.any_free()) {
      return {{{cost::newton_trial}, second_order},
              {{cost::columns_trial}, gradient},
              {no_limit, second_order}};
    }
    if (working_sets_pay(problem)) return {{no_limit, by_columns}};
    if (wide_and_dense(problem) && passes) {
      // A trial, and as much again as is promised to be enough, of half of what the products cost:
      // rates fall. Flat pieces make Newton's steps short from where the dual method gave up; from
      // the minimum of a sample of the rows, where it starts by itself, they are not.
      const Index fewer = std::min(problem.n(), problem.dim());
      const double half = cost::products / 2 * static_cast<double>(fewer);
      const auto anew = [=](const Solution& s) {
        return second_order(cold && flat ? Solution() : s);
      };
      return {{{HUGE_VAL, std::min(12.0, half), half}, dual},
              {{cost::newton_trial}, anew},
              {{cost::dual_trial}, dual},
              {no_limit, second_order}};
    }
    if (wide_and_flat(problem) && passes) {
      // A few rates decide between dual passes and Newton; SSNAL is no match for them on wide rows.
      const StopRule first =
          smooth ? StopRule{HUGE_VAL, 16, 60} : StopRule{25 * options.dual_passes};
      return {{first, dual, [=](const Solution&) { return cold; }},
              {{cost::wide_newton_trial}, second_order},
              {no_limit, dual},
              {no_limit, second_order}};
    }
    const auto pays = [&](const Solution&) { return cold && passes && dual_passes_pay(problem); };
    const bool goes_on =
        smooth ? few_rows(problem) : entries_a_column(problem) <= cost::few_entries;
    const Method first{goes_on ? StopRule{HUGE_VAL, options.dual_passes, cost::dual_worth}
                               : StopRule{options.dual_passes},
                       dual, pays};
    if (smooth && problem.penalty.l1 > 0) {  // each has rows on which the other creeps
      return {first,
              {{cost::l1_model_trial}, second_order},
              {{cost::columns_trial}, by_columns},
              {no_limit, second_order}};
    }
    if (smooth && problem.penalty.l2 > 0) {
      // Newton's step is a difference of large numbers where l2 is tiny beside |x_i|^2; a
      // coordinate step in the dual is not
      return {first,
              {{HUGE_VAL, cost::newton_trial, cost::newton_trial}, second_order},
              {{cost::dual_trial}, dual},
              {no_limit, second_order}};
    }
    if (smooth) return {first, {no_limit, second_order}};
    // on far rows, or fewer than columns, the scores of SSNAL's subproblems round at a gap that a
    // coordinate step in the dual, a closed form of one row, goes below
    const Method by_rows{{cost::dual_trial}, dual};
    const bool strong = problem.penalty.l2 > 0;
    if (problem.penalty.columns == nullptr && problem.dim() <= cost::interior_columns) {
      const Method last = strong ? by_rows : Method{no_limit, second_order};
      // which knows no start
      if (cold && problem.penalty.l1 == 0 && few_rows_a_column(problem)) {
        return {first, {no_limit, inner}, last};
      }
      const StopRule some{HUGE_VAL, cost::ssnal_trial, 2 * cost::ssnal_trial};
      return {first, {some, second_order}, {no_limit, inner}, last};
    }
    if (!strong) return {first, {no_limit, second_order}};
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
