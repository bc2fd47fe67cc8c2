// Where a path over lambda starts: the two quantities of the data with the unit of lambda.
#pragma once

#include "linear/problem.h"

namespace dualmargin::linear {

// The null model: w = 0 but on columns without a penalty, where it is optimal as b is, and a dual
// point that belongs to it. A smooth loss has one; one
// with kinks has many, and this is the one in which all rows at a kink are equally far from the
// lower to the upper one of its slopes.
template <class L>
SolutionOf<typename L::Array> null_model(const ProblemOf<L>& problem, Tick& tick);

// max_j |u_j| at the null model, over the factors of l1. With lambda mixture at least this large
// the null model is optimal, since g*(-u) = 0; for a smooth loss no smaller lambda will do.
template <class L>
double largest_null_slope(const ProblemOf<L>& problem, Tick& tick);

// (1/W) sum_i omega_i |x_i|^2 / gamma, the trace of a bound on the Hessian of the mean loss and so
// above its eigenvalues; the hinge counts with gamma = 1. A ridge of this strength shrinks w at
// least by half in every direction.
template <class L>
double mean_curvature(const ProblemOf<L>& problem);

// The lambda at which a path starts: the largest that any class asks for.
class PathScale {
 public:
  template <class L>
  void add(const ProblemOf<L>& problem, Tick& tick);
  double first_lambda(double mixture) const;

 private:
  double slope_ = 0, curvature_ = 0;
};

}  // namespace dualmargin::linear
