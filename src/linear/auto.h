// The default: which of the methods of this wing, in which order, for how long.
//
//   l1 part, smooth loss, many columns    working sets of columns (lasso)
//   wide rows, loss with flat pieces      dual coordinate descent, as long as it gains; there
//   Newton's
//                                         method and SSNAL solve large systems for little
//   small |x_i|^2 / (W l2 gamma)          a few passes of dual coordinate descent: each gains a
//                                         constant factor, eight often reach the tolerance
// Whatever is not certified then goes, from the point reached, to
//   smooth loss                           Newton
//   plain hinge                           SSNAL; where it does not get there in some forty steps
//   and
//                                         columns are few, the interior point method
#pragma once

#include "linear/dual_cd.h"
#include "linear/interior_point.h"
#include "linear/lasso.h"
#include "linear/newton.h"
#include "linear/ssnal.h"

namespace dualmargin {

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

// Passes of dual coordinate descent to begin with; 0 for none.
template <class Problem>
double first_passes(const Problem& problem, double dual_passes) {
  constexpr Index few_coordinates = 300, wide = 2000;
  constexpr double many_times = 25;
  if (problem.penalty.l2 <= 0) return 0;
  const Index p = problem.x.dim();
  const double far = 30;  // well past every kink, and no underflow yet
  const bool flat = problem.loss.curvature(far, 1, 0, 0, problem.loss.slope(far, 1)) == 0;
  if (p > wide && flat) return many_times * dual_passes;
  if (problem.row_loss.smooth() && p <= few_coordinates) return 0;
  double squares = 0;
  for (Index i = 0; i < problem.n(); ++i) {
    squares += problem.weights[i] * problem.x.squared_norm(i);
  }
  const double q = squares / problem.total_weight / (problem.total_weight * problem.penalty.l2);
  return q <= 4 * (problem.row_loss.smooth() ? problem.row_loss.gamma() : 1) ? dual_passes : 0;
}

template <class Problem>
Solution solve_hinge(const Problem& problem, const Solution& start, Sampler& sampler,
                     Monitor& monitor) {
  constexpr Index few_coordinates = 1000;
  const bool few = problem.x.dim() <= few_coordinates;
  SsnalOptions options;
  if (start.a.size() > 0) options.gamma = 0.1;  // a warm dual point: smooth less around it
  if (few) options.max_steps = 40;
  Solution s = ssnal(problem, options, start, sampler, monitor);
  if (!few || monitor.ended()) return s;
  monitor.new_stage();
  Solution other = interior_point(problem, monitor);
  // any primal point and any dual point make a certificate
  const Certificate before = problem.certify(s, monitor), after = problem.certify(other, monitor);
  if (before.bound > after.bound) other.a = s.a;
  if (before.value < after.value) {
    other.w = s.w;
    other.b = s.b;
  }
  return other;
}

template <class Problem>
Solution automatic(const Problem& problem, const AutoOptions& options, const Solution& start,
                   Sampler& sampler, Monitor& monitor) {
  if (working_sets_pay(problem)) return lasso(problem, LassoOptions{}, start, monitor);
  Solution s = start;
  const bool cold = s.w.size() == 0 && s.a.size() == 0;
  DualCdOptions dual;
  dual.max_passes = cold ? first_passes(problem, options.dual_passes) : 0;
  if (dual.max_passes > 0) {
    s = dual_cd(problem, dual, s, sampler, monitor);
    if (monitor.ended()) return s;
    monitor.new_stage();
  }
  if (problem.row_loss.smooth()) return newton(problem, NewtonOptions{}, s, sampler, monitor);
  return solve_hinge(problem, s, sampler, monitor);
}

}  // namespace dualmargin
