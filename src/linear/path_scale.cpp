#include "linear/path_scale.h"

#include <algorithm>
#include <vector>

namespace dualmargin::linear {

Solution null_model(const LinearProblem& problem, Tick& tick) {
  const RowVec zero = RowVec::Zero(problem.n());
  Solution s;
  if (problem.penalty.any_free()) {
    auto best = problem.free_columns().best(zero, tick);
    s.w = std::move(best.w);
    s.b = best.b;
    s.a = problem.summed(std::move(best.a), tick).a;
    return s;
  }
  s.w = Vec::Zero(problem.dim());
  s.b = problem.losses.best_intercept(zero, 0);
  s.a = problem.losses.slopes(RowVec::Constant(problem.n(), s.b));
  if (problem.losses.free_intercept && !problem.losses.smooth()) {
    const std::vector<SlopeRange> at_b = problem.losses.slope_ranges(s.b);
    const auto [low, width] = problem.rows.sum([&](Index i) {
      const double omega = problem.rows.weights[i];
      return std::array<double, 2>{omega * at_b[i].low, omega * (at_b[i].high - at_b[i].low)};
    });
    const double share = width > 0 ? std::clamp(-low / width, 0.0, 1.0) : 0;
    for (Index i = 0; i < problem.n(); ++i) {
      s.a[i] = at_b[i].low + share * (at_b[i].high - at_b[i].low);
    }
  }
  problem.losses.balance(s.a);
  return s;
}

double largest_null_slope(const LinearProblem& problem, Tick& tick) {
  const Vec u = problem.dual_sum(null_model(problem, tick).a, tick);
  double largest = 0;
  for (Index j = 0; j < u.size(); ++j) {
    if (problem.penalty.free(j)) continue;
    const double slope = std::abs(u[j]) / problem.penalty.factor(j);
    if (!(slope <= largest)) largest = slope;  // no number stays
  }
  return largest;
}

double mean_curvature(const LinearProblem& problem) {
  const Rows& rows = problem.rows;
  const double squares = rows.sum([&](Index i) { return rows.share(i) * rows.squared_norms()[i]; });
  return squares / problem.losses.gamma();
}

void PathScale::add(const LinearProblem& problem, Tick& tick) {
  // below this a slope is rounding, in the unit of the response
  const double rounding = 1e-10 * std::sqrt(problem.null_value());
  slope_ = std::max({slope_, largest_null_slope(problem, tick), rounding});
  curvature_ = std::max(curvature_, mean_curvature(problem));
}

double PathScale::first_lambda(double mixture) const {
  const double first = mixture > 0 ? slope_ / mixture : curvature_;
  return first > 0 ? first : 1;
}

}  // namespace dualmargin::linear
