// The default: which of the methods of this family, in which order, for how long.
//
// With an l1 part, a smooth loss and many columns it is the working-set method. Otherwise the
// finisher is a second-order method: Newton's for a smooth loss, SSNAL for the plain hinge, and
// where SSNAL is slow and columns are few the interior point method. Dual coordinate descent comes
// first
//   where |x_i|^2 / (W l2 gamma) is small: a pass gains a constant factor, eight often suffice;
//   on wide rows under a loss with flat pieces, whose Newton systems are large and change with
//   every row that crosses a kink: as long as its rate promises the tolerance soon. Where it does
//   not, the finisher gets a limited run, then both of them all the time they need;
//   on wide dense rows under a smooth loss, where the products that Newton's method needs first
//   cost many of its passes: as long as its rate promises the tolerance within fewer.
// Newton's method on an l1 problem gets a limited run as well, then the working-set method one.
#pragma once

#include "linear/dual_cd.h"
#include "linear/interior_point.h"
#include "linear/lasso.h"
#include "linear/newton.h"
#include "linear/ssnal.h"

namespace dualmargin::linear {

struct AutoOptions {
  double dual_passes = 8;
};

// Newton's model of an l1 problem holds all coordinates: fine while these are few, or few against
// the rows.
template <class Problem>
bool working_sets_pay(const Problem& problem) {
  constexpr Index few_coordinates = 300, many_coordinates = 1500;
  if (problem.penalty.l1 <= 0 || !problem.row_loss.smooth()) return false;
  const Index p = problem.x.dim();
  return p > many_coordinates || (p > few_coordinates && 4 * p > problem.n());
}

template <class Loss>
bool has_flat_pieces(const Loss& loss) {
  constexpr double far = 30;  // well past every kink, and no underflow yet
  return loss.curvature(far, 1, 0, 0, loss.slope(far, 1)) == 0;
}

template <class Problem>
bool wide_and_flat(const Problem& problem) {
  constexpr Index wide = 2000;
  return has_flat_pieces(problem.loss) && problem.x.dim() > wide && problem.penalty.l2 > 0;
}

// Newton's method on more columns than rows takes the n(n+1)/2 products x_i'x_j first. These are
// n/2 passes over the rows, at the speed of a product of matrices: on dense rows the time of n/10
// passes of dual coordinate descent, which on rows without common factors has ended after ten to
// forty. Where there are fewer columns than rows the products of columns take their place.
//
// Measured by inst/bench/linear_wide.R (inst/extdata/results/linear_wide.csv), auto / newton,
// medians of 54 cells each: 0.36 on independent columns, 1.15, at most 1.7, on columns of ten
// common factors.
template <class Problem>
bool wide_and_dense(const Problem& problem) {
  constexpr Index few = 300;  // rows, whose products are no work
  const Index n = problem.n(), p = problem.x.dim();
  const bool strong = problem.penalty.l1 == 0 && problem.penalty.l2 > 0;
  if (!problem.row_loss.smooth() || !strong || n < few || 2 * p < n) return false;
  double nonzeros = 0;
  for (Index i = 0; i < n; ++i) nonzeros += static_cast<double>(problem.x.nonzeros(i));
  return nonzeros > 0.3 * static_cast<double>(n) * static_cast<double>(p);
}

// A trial, and as much again as is promised to be enough, of half of what the products cost: rates
// fall.
template <class Problem>
StopRule against_products(const Problem& problem) {
  const Index fewer = std::min(problem.n(), problem.x.dim());
  const double half = 0.05 * static_cast<double>(fewer);
  return {HUGE_VAL, std::min(12.0, half), half};
}

template <class Problem>
bool dual_passes_pay(const Problem& problem) {
  // Newton's method costs less than the passes on few columns, and where the dual step has no
  // closed form also on more.
  const Index few_coordinates = has_flat_pieces(problem.loss) ? 300 : 1000;
  if (problem.penalty.l2 <= 0) return false;
  if (problem.row_loss.smooth() && problem.x.dim() <= few_coordinates) return false;
  double squares = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    squares += problem.weights[i] * problem.x.squared_norm(i);
  }
  const double q = squares / problem.total_weight / (problem.total_weight * problem.penalty.l2);
  return q <= 4 * (problem.row_loss.smooth() ? problem.row_loss.gamma() : 1);
}

// The better primal and the better dual point of two solutions: any pair makes a certificate.
template <class Problem>
Solution best_of(const Problem& problem, Solution s, Solution later, Run& run) {
  const Certificate before = problem.certify(s, run), after = problem.certify(later, run);
  if (before.bound > after.bound) later.a = std::move(s.a);
  if (before.value < after.value) {
    later.w = std::move(s.w);
    later.b = s.b;
  }
  return later;
}

// Runs one method after the other on the same problem, each from where the last one ended.
template <class Problem>
class Relay {
 public:
  Relay(const Problem& problem, const Solution& start, Run& run)
      : problem_(problem), run_(run), point_(start) {}

  // method(start) -> Solution; false when the run is over
  template <class Method>
  bool run(const StopRule& stage, Method method) {
    const bool first = point_.w.size() == 0 || point_.a.size() == 0;
    run_.begin(stage);
    Solution s = method(point_);
    const bool done = first || run_.status() == Status::certified;
    point_ = done ? std::move(s) : best_of(problem_, std::move(point_), std::move(s), run_);
    return !run_.ended();
  }
  const Solution& point() const { return point_; }

 private:
  const Problem& problem_;
  Run& run_;
  Solution point_;
};

template <class Problem>
Solution automatic(const Problem& problem, const AutoOptions& options, const Solution& start,
                   Sampler& sampler, Run& run) {
  constexpr Index few_coordinates = 1000;
  // A few rates decide between dual passes and Newton; SSNAL is no match for them on wide rows.
  constexpr double no_limit = HUGE_VAL, second_order_trial = 300;
  const StopRule while_fast{no_limit, 16, 60}, long_run{25 * options.dual_passes};
  if (working_sets_pay(problem)) return lasso(problem, LassoOptions{}, start, run);

  const auto dual = [&](const Solution& s) {
    return dual_cd(problem, DualCdOptions{}, s, sampler, run);
  };
  const auto second_order = [&](const Solution& s) {
    if (problem.row_loss.smooth()) return newton(problem, NewtonOptions{}, s, sampler, run);
    SsnalOptions smoothed;
    if (s.a.size() > 0) smoothed.gamma = 0.1;  // a warm dual point: smooth less around it
    return ssnal(problem, smoothed, s, sampler, run);
  };
  const auto inner = [&](const Solution&) { return interior_point(problem, run); };

  Relay<Problem> relay(problem, start, run);
  const bool cold = start.w.size() == 0 && start.a.size() == 0;
  if (wide_and_dense(problem) && options.dual_passes > 0) {
    // Flat pieces make Newton's steps short from where the dual method gave up; from the minimum of
    // a sample of the rows, where it starts by itself, they are not.
    const bool flat = cold && has_flat_pieces(problem.loss);
    const auto anew = [&](const Solution& s) { return second_order(flat ? Solution() : s); };
    if (!relay.run(against_products(problem), dual)) return relay.point();
    if (!relay.run({150}, anew)) return relay.point();
    if (relay.run({600}, dual)) relay.run({}, second_order);
    return relay.point();
  }
  if (wide_and_flat(problem) && options.dual_passes > 0) {
    const StopRule& first = problem.row_loss.smooth() ? while_fast : long_run;
    if (cold && !relay.run(first, dual)) return relay.point();
    if (!relay.run({second_order_trial}, second_order)) return relay.point();
    if (!relay.run({}, dual)) return relay.point();
    relay.run({}, second_order);
    return relay.point();
  }
  const bool dual_first = cold && options.dual_passes > 0 && dual_passes_pay(problem);
  if (dual_first && !relay.run({options.dual_passes}, dual)) return relay.point();
  if (problem.penalty.l1 > 0 && problem.row_loss.smooth()) {
    // each has rows on which the other creeps
    const auto by_columns = [&](const Solution& s) {
      return lasso(problem, LassoOptions{}, s, run);
    };
    if (!relay.run({100}, second_order)) return relay.point();
    if (relay.run({300}, by_columns)) relay.run({}, second_order);
    return relay.point();
  }
  if (problem.penalty.l2 > 0 && problem.row_loss.smooth()) {
    // Newton's step is a difference of large numbers where l2 is tiny beside |x_i|^2; a coordinate
    // step in the dual is not
    if (!relay.run({150}, second_order)) return relay.point();
    if (relay.run({600}, dual)) relay.run({}, second_order);
    return relay.point();
  }
  const bool change = !problem.row_loss.smooth() && problem.x.dim() <= few_coordinates;
  const bool unfinished = relay.run({change ? 60 : no_limit}, second_order);
  if (unfinished && change) relay.run({}, inner);
  return relay.point();
}

}  // namespace dualmargin::linear
