// A solved class problem whose rows may leave: its pair, what that says of its optimum, and what
// stays the same when rows leave.
#pragma once

#include <cmath>
#include <type_traits>

#include "decide/refit.h"
#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;
using region::Interval;
using region::Pair;
using region::Problem;

// What is asked of a class problem, and its pair.
template <class AnyProblem, class AnyPair, class AnyBall, class AnyEllipsoid>
struct FittedIn {
  using OfProblem = AnyProblem;
  using OfPair = AnyPair;
  using OfBall = AnyBall;
  using OfEllipsoid = AnyEllipsoid;
  static constexpr bool by_columns = std::is_same_v<AnyPair, Pair>;

  const AnyProblem& problem;
  const AnyPair& pair;
  const AnyBall& ball;
  const AnyEllipsoid& ellipsoid;
  Rule rule;

  double W() const { return problem.total_weight(); }
  double kappa() const { return problem.g.l2 * W(); }
  double kappa_without(double weight) const {
    return rule == Rule::cost ? kappa() : problem.g.l2 * (W() - weight);
  }
  Index n() const { return problem.n(); }
  double lost_in_score() const {
    return rounding::of(2 * (static_cast<double>(pair.w.size()) + 3));
  }
};
using Fitted = FittedIn<Problem, Pair, region::Ball, region::Ellipsoid>;

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
