// The default: a few dual passes where they pay, then the second-order method of the loss.
//
// Dual coordinate ascent gains a constant factor an epoch once |x_i|^2 / (W l2) is of the order of
// the loss's gamma (1 stands for a hinge); then eight epochs often reach the tolerance, and their
// point is a good start otherwise. With few coordinates Newton's method on a smooth loss costs less
// than that. Newton's method finishes smooth losses, SSNAL the plain hinge. With an l1 part and
// many coordinates, few of which are in use, a smooth loss is solved on working sets instead.
#pragma once

#include "linear/lasso.h"
#include "linear/newton.h"
#include "linear/sdca.h"
#include "linear/ssnal.h"

namespace dualmargin {

struct AutoOptions {
  double dual_passes = 8;
};

template <class Problem>
bool dual_passes_pay(const Problem& problem) {
  constexpr Index few_coordinates = 300;
  if (problem.free_intercept || problem.penalty.l2 <= 0) return false;
  if (problem.row_loss.smooth() && problem.x.dim() <= few_coordinates) return false;
  double squares = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    squares += problem.weights[i] * problem.x.squared_norm(i);
  }
  const double q = squares / problem.total_weight / (problem.total_weight * problem.penalty.l2);
  return q <= 4 * (problem.row_loss.smooth() ? problem.row_loss.gamma() : 1);
}

// Newton's model holds all coordinates: fine while these are few, or few against the rows.
template <class Problem>
bool working_sets_pay(const Problem& problem) {
  constexpr Index few_coordinates = 300, many_coordinates = 1500;
  if (problem.penalty.l1 <= 0 || !problem.row_loss.smooth()) return false;
  const Index p = problem.x.dim();
  return p > many_coordinates || (p > few_coordinates && 4 * p > problem.n());
}

template <class Problem>
Solution automatic(const Problem& problem, const AutoOptions& options, const Solution& start,
                   Sampler& sampler, Monitor& monitor) {
  if (working_sets_pay(problem)) return lasso(problem, LassoOptions{}, start, monitor);
  Solution s = start;
  const bool cold = s.w.size() == 0 && s.a.size() == 0;
  if (cold && options.dual_passes > 0 && dual_passes_pay(problem)) {
    SdcaOptions dual;
    dual.max_passes = options.dual_passes;
    s = sdca(problem, dual, s, sampler, monitor);
    if (monitor.finished()) return s;
    monitor.new_stage();
  }
  if (problem.row_loss.smooth()) return newton(problem, NewtonOptions{}, s, sampler, monitor);
  SsnalOptions finish;
  if (s.a.size() > 0) finish.gamma = 0.1;  // a warm dual point: smooth less around it
  return ssnal(problem, finish, s, sampler, monitor);
}

}  // namespace dualmargin
