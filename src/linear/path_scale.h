// Where a path over lambda starts: the two quantities of the data with the unit of lambda.
#pragma once

#include <algorithm>

#include "linear/erm.h"

namespace dualmargin::linear {

// The null model: w = 0, b optimal, and a dual point that belongs to it. A smooth loss has one; the
// hinge has many, and this is the one that spreads its slope evenly over the heavier class.
template <class Data>
Solution null_model(const Erm<Data>& problem) {
  const Vec zero = Vec::Zero(problem.n());
  Vec curvature;
  Solution s;
  s.w = Vec::Zero(problem.x.dim());
  if (problem.free_intercept && problem.row_loss.smooth()) {
    s.b = smooth_intercept(problem.row_loss, problem.weights, zero, problem.y, zero, 0, 0, s.a,
                           curvature);
  } else {
    s.b = problem.best_intercept(zero, 0);
    problem.row_loss.dual_steps(zero, 0, problem.y, zero, 0, s.a, curvature);
  }
  if (problem.free_intercept) balance(problem.row_loss, problem.weights, s.a);
  return s;
}

// max_j |u_j| at the null model. With lambda mixture at least this large the null model is optimal,
// since g*(-u) = 0; for a smooth loss no smaller lambda will do.
template <class Data>
double largest_null_slope(const Erm<Data>& problem, Tick& tick) {
  return problem.dual_sum(null_model(problem).a, tick).cwiseAbs().maxCoeff();
}

// (1/W) sum_i omega_i |x_i|^2 / gamma, the trace of a bound on the Hessian of the mean loss and so
// above its eigenvalues; the hinge counts with gamma = 1. A ridge of this strength shrinks w at
// least by half in every direction.
template <class Data>
double mean_curvature(const Erm<Data>& problem) {
  const double squares = sum_over(
      problem.n(), [&](Index i) { return problem.weights[i] * problem.x.squared_norm(i); });
  const double gamma = problem.row_loss.smooth() ? problem.row_loss.gamma() : 1;
  return squares / problem.total_weight / gamma;
}

// The lambda at which a path starts: the largest that any class asks for.
class PathScale {
 public:
  template <class Data>
  void add(const Erm<Data>& problem, Tick& tick) {
    // below this a slope is rounding, in the unit of the response
    const double rounding = 1e-10 * std::sqrt(problem.null_value());
    slope_ = std::max({slope_, largest_null_slope(problem, tick), rounding});
    curvature_ = std::max(curvature_, mean_curvature(problem));
  }
  double first_lambda(double mixture) const {
    const double first = mixture > 0 ? slope_ / mixture : curvature_;
    return first > 0 ? first : 1;
  }

 private:
  double slope_ = 0, curvature_ = 0;
};

}  // namespace dualmargin::linear
