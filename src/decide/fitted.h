// A solved class problem whose rows may leave: its pair, what that says of its optimum, and what
// stays the same when rows leave.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "decide/refit.h"
#include "region/secant.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;
using region::Pair;
using region::Problem;

// What its pair says is found once; curved: is the curvature asked for?
template <class AnyProblem, class AnyPair>
struct FittedIn {
  using OfProblem = AnyProblem;
  using OfPair = AnyPair;
  using Vector = decltype(AnyPair::w);
  using Ellipsoid = decltype(region::ellipsoid_of(
      std::declval<const AnyProblem&>(), std::declval<const AnyPair&>(), std::declval<Tick&>()));
  static constexpr bool by_columns = std::is_same_v<AnyPair, Pair>;

  const AnyProblem problem;
  const AnyPair pair;
  const Rule rule;
  const region::BallIn<Vector> ball;
  const Ellipsoid ellipsoid;

  FittedIn(const AnyProblem& problem_, AnyPair pair_, Rule rule_, bool curved, Tick& tick)
      : problem(problem_),
        pair(std::move(pair_)),
        rule(rule_),
        ball(region::ball_of(problem, pair)),
        ellipsoid(curved ? region::ellipsoid_of(problem, pair, tick) : Ellipsoid()) {}
  FittedIn(const FittedIn&) = delete;

  double W() const { return problem.total_weight(); }
  double kappa() const { return problem.g.l2 * W(); }
  // Of all weight, what stays without some rows, and kappa then.
  double share_left(Index i) const { return weight_left(problem.rows.weights, W(), &i, 1) / W(); }
  double kappa_without(Index i) const {
    return rule == Rule::cost ? kappa() : kappa() * share_left(i);
  }
  double kappa_without(const std::vector<Index>& out) const {
    if (rule == Rule::cost) return kappa();
    return problem.g.l2 * weight_left(problem.rows.weights, W(), out);
  }
  Index n() const { return problem.n(); }
  double lost_in_score() const {
    return rounding::of(2 * (static_cast<double>(pair.w.size()) + 3));
  }
};
using Fitted = FittedIn<Problem, Pair>;

class EndsOf {
 public:
  explicit EndsOf(Index n) : ends{RowVec::Constant(n, -HUGE_VAL), RowVec::Constant(n, HUGE_VAL)} {}
  void intersect(Index i, double low, double high);
  Ends ends;
};

// e = kappa w + U with its products, and the x_i'e. U = sum omega a x. rounding: of its length.
struct Residual {
  Vec e;
  double square, own, w_square, rounding;
  RowVec along;

  Residual(const Fitted& fit, Tick& tick);

  // Of |e - less w - shift (x_i - c)|^2, computed from products; its terms together.
  double lost_in_square(Index, double, double, double terms) const { return off_ * terms; }
  // Of x_i'(e - less w - out x_i); x2: |x_i|^2.
  double lost_in_step(Index, double less, double score, double out, double x2) const;

 private:
  double off_, lost_;
};
inline Residual residual_of(const Fitted& fit, Tick& tick) { return {fit, tick}; }

}  // namespace dualmargin::decide
