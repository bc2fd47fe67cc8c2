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
// and bounded, so T(s)/s - 1 changes its sign.
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

// The fit at the fixed point, a loop over warm fits that share the limits, from a point with residuals
// of scale `first`. precise: does the method reach an optimum to many digits? One that stops within
// its tolerance ends at the point whose certificate holds at T of its own residuals.
Report fit_at_scale(const ScaledProblems& problems, const SolveAtScale& solve,
                    const Solution& start, double first, bool precise, Run::Limits limits,
                    Run& run);

}  // namespace dualmargin::linear
