// Where a path over lambda starts: the two quantities of the data with the unit of lambda.
#pragma once

#include <algorithm>

#include "linear/problem.h"

namespace dualmargin::linear {

// The null model: w = 0, b optimal, and a dual point that belongs to it. A smooth loss has one; one
// with kinks has many, and this is the one in which all rows at a kink have the same slope.
template <class Data>
Solution null_model(const LinearProblem<Data>& problem) {
  const Vec zero = Vec::Zero(problem.n());
  Solution s;
  s.w = Vec::Zero(problem.dim());
  s.b = problem.losses.best_intercept(zero, 0);
  s.a = problem.losses.slopes((zero.array() + s.b).matrix());
  if (problem.losses.free_intercept && !problem.losses.smooth()) {
    const auto [others, at_kink] = problem.rows.sum([&](Index i) {
      const double omega = problem.rows.weights[i], t = s.a[i];
      return std::array<double, 2>{omega * t, t == 0 ? omega : 0.0};
    });
    if (at_kink > 0) s.a = (s.a.array() == 0).select(-others / at_kink, s.a);
  }
  problem.losses.balance(s.a);
  return s;
}

// max_j |u_j| at the null model. With lambda mixture at least this large the null model is optimal,
// since g*(-u) = 0; for a smooth loss no smaller lambda will do.
template <class Data>
double largest_null_slope(const LinearProblem<Data>& problem, Tick& tick) {
  return problem.dual_sum(null_model(problem).a, tick).cwiseAbs().maxCoeff();
}

// (1/W) sum_i omega_i |x_i|^2 / gamma, the trace of a bound on the Hessian of the mean loss and so
// above its eigenvalues; the hinge counts with gamma = 1. A ridge of this strength shrinks w at
// least by half in every direction.
template <class Data>
double mean_curvature(const LinearProblem<Data>& problem) {
  const Rows<Data>& rows = problem.rows;
  const double squares = rows.sum([&](Index i) { return rows.share(i) * rows.squared_norms()[i]; });
  return squares / problem.losses.gamma();
}

// The lambda at which a path starts: the largest that any class asks for.
class PathScale {
 public:
  template <class Data>
  void add(const LinearProblem<Data>& problem, Tick& tick) {
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
