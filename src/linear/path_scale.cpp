#include "linear/path_scale.h"

#include <algorithm>
#include <vector>

namespace dualmargin::linear {

namespace {

// Where the loss has kinks, at the best intercept alone.
void between_kinks(const LinearProblem::Losses& losses, double b, RowVec& a) {
  const std::vector<SlopeRange> at_b = losses.slope_ranges(b);
  const auto [low, width] = losses.mean_over([&](Index i) {
    const double omega = losses.omega[i];
    return std::array<double, 2>{omega * at_b[i].low, omega * (at_b[i].high - at_b[i].low)};
  });
  const double share = width > 0 ? std::clamp(-low / width, 0.0, 1.0) : 0;
  for (Index i = 0; i < losses.n(); ++i) {
    a[i] = at_b[i].low + share * (at_b[i].high - at_b[i].low);
  }
}

}  // namespace

template <class L>
SolutionOf<typename L::Array> null_model(const ProblemOf<L>& problem, Tick& tick) {
  using Array = typename L::Array;
  constexpr bool one = std::is_same_v<Array, RowVec>;
  if constexpr (one) {
    if (problem.penalty.any_free()) {
      const FreeColumns free(problem.rows, problem.losses, problem.penalty.columns->free);
      auto best = free.best(RowVec::Zero(problem.n()), tick);
      return {best, problem.summed(std::move(best.a), tick), ""};
    }
  }
  SolutionOf<Array> s = problem.with_nothing({}, true, false);
  s.a = problem.losses.slopes(problem.losses.constant(s.b));
  if constexpr (one) {
    if (problem.losses.free_intercept && !problem.losses.smooth()) {
      between_kinks(problem.losses, s.b, s.a);
    }
  }
  problem.losses.balance(s.a);
  return s;
}
template Solution null_model(const ProblemOf<RowLosses>&, Tick&);
template JointSolution null_model(const ProblemOf<ClassLosses>&, Tick&);

template <class L>
double largest_null_slope(const ProblemOf<L>& problem, Tick& tick) {
  const Weights<typename L::Array> u = problem.dual_sum(null_model(problem, tick).a, tick);
  double largest = 0;
  for (Index j = 0; j < u.size(); ++j) {
    if (problem.penalty.free(j)) continue;
    const double slope = std::abs(u.data()[j]) / problem.penalty.factor(j);
    if (!(slope <= largest)) largest = slope;  // no number stays
  }
  return largest;
}

template <class L>
double mean_curvature(const ProblemOf<L>& problem) {
  const Rows& rows = problem.rows;
  const double squares = rows.sum([&](Index i) { return rows.share(i) * rows.squared_norms()[i]; });
  return squares / problem.losses.gamma();
}
template double mean_curvature(const ProblemOf<RowLosses>&);

template <class L>
void PathScale::add(const ProblemOf<L>& problem, Tick& tick) {
  // below this a slope is rounding, in the unit of the response
  constexpr double share = 1e-10;
  const double rounding = share * std::sqrt(problem.null_value());
  slope_ = std::max({slope_, largest_null_slope(problem, tick), rounding});
  curvature_ = std::max(curvature_, mean_curvature(problem));
}
template void PathScale::add(const ProblemOf<RowLosses>&, Tick&);
template void PathScale::add(const ProblemOf<ClassLosses>&, Tick&);

double PathScale::first_lambda(double mixture) const {
  const double first = mixture > 0 ? slope_ / mixture : curvature_;
  return first > 0 ? first : 1;
}

}  // namespace dualmargin::linear
