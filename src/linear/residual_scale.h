// Huber's loss with the unit of its delta taken from the residuals r = z - y themselves:
//
//   s = T(s),   T(s) = median(|r_i|) / 0.6745,   r those of the fit with Huber's loss of delta s,
//
// the median weighted and not centred. The loss is s^2 rho(r/s), in the unit of the response, where
// rho is that of delta, so the penalty keeps its unit, and without one the fit is Huber's
// M-estimate with the scale re-estimated at every step, as P. J. Huber and E. M. Ronchetti (2009),
// Robust Statistics, 2nd edition, Wiley, section 7.8, and rlm() of package MASS have it.
// Along s the minimiser is piecewise linear (a quadratic program whose bounds are linear in s), and
// so is T between the changes of the rows that are medians: a secant ends there. T is continuous
// and bounded, T(s) - s falls below 0 in the end, and a bracket makes an end of what would cycle.
// Ten data sets (stackloss, mtcars, Cauchy noise, p > n) at four lambdas: 2 to 15 rounds, median 5.
#pragma once

#include "base/function_ref.h"
#include "linear/problem.h"

namespace dualmargin::linear {

// T of scores z; 0 where at least half of the residuals are nothing but rounding.
double scale_of(const Rows& rows, const RowVec& z);

// Of w = 0 and the median.
double spread_of(const Rows& rows, bool free);

// problems(s, f): f(problem) with Huber's loss of delta s.
using ScaledProblems = FunctionRef<void(double s, FunctionRef<void(const LinearProblem&)> f)>;
using SolveAtScale = FunctionRef<Solution(const LinearProblem&, const Solution& start, Run&)>;

// Of the null model.
double null_scale(const ScaledProblems& problems, double first);

// The tolerance of a round, and that of the rounds near the end: residuals move as the root of the
// gap.
struct ScaleLimits {
  Run::Limits run;
  double tight, tightest;
};

// The fit at a fixed point, from a point with residuals of scale `first`. solve(problem, start, run).
// Rounds share the limits. One more way to the end is for methods that stop within their tolerance:
// the point that they return, if it has its certificate at T of its own residuals.
Report fit_at_scale(const ScaledProblems& problems, const SolveAtScale& solve,
                    const Solution& start, double first, ScaleLimits limits, Run& run);

}  // namespace dualmargin::linear
