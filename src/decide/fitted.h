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
  // What a row has of each score, here of one: joint_fit.h has k.
  using ScoreVector = Eigen::Matrix<double, 1, 1>;
  using ScoreMatrix = ScoreVector;
  using Ellipsoid = decltype(region::ellipsoid_of(
      std::declval<const AnyProblem&>(), std::declval<const AnyPair&>(), std::declval<Tick&>()));
  static constexpr bool by_columns = std::is_same_v<AnyPair, Pair>;

  const AnyProblem problem;
  const std::decay_t<decltype(AnyProblem::rows)>& rows;
  const AnyPair pair;
  const Rule rule;
  const region::BallIn<Vector> ball;
  const Ellipsoid ellipsoid;

  FittedIn(const AnyProblem& problem_, AnyPair pair_, Rule rule_, bool curved, Tick& tick)
      : problem(problem_),
        rows(problem.rows),
        pair(std::move(pair_)),
        rule(rule_),
        ball(region::ball_of(problem, pair)),
        ellipsoid(curved ? region::ellipsoid_of(problem, pair, tick) : Ellipsoid()) {}
  FittedIn(const FittedIn&) = delete;

  double omega(Index i) const { return problem.omega(i); }
  Index classes() const { return 1; }
  ScoreVector scores(Index i) const { return ScoreVector(pair.z[i]); }
  ScoreVector dual(Index i) const { return ScoreVector(pair.a[i]); }
  double excess(Index i) const { return pair.excess[i]; }
  double mean_excess() const { return pair.mean_excess; }
  // What is asked of the scores of a row: use(its place among the ends, a combination)
  template <class Use>
  void for_contrasts(Index, Use use) const {
    use(std::size_t{0}, ScoreVector(1.0));
  }
  bool cost() const { return rule == Rule::cost; }
  bool sparse() const { return problem.g.l1 > 0; }
  bool constant() const { return problem.phi.curving() == Curving::constant; }

  double W() const { return problem.total_weight(); }
  double kappa() const { return problem.g.l2 * W(); }
  // Of all weight, what stays without some rows, and kappa then.
  double share_left(Index i) const { return weight_left(problem.rows.weights, W(), &i, 1) / W(); }
  double kappa_without(Index i) const {
    return cost() ? kappa() : kappa() * share_left(i);
  }
  double share_left(const std::vector<Index>& out) const {
    return weight_left(problem.rows.weights, W(), out) / W();
  }
  double kappa_without(const std::vector<Index>& out) const {
    if (cost()) return kappa();
    return problem.g.l2 * weight_left(problem.rows.weights, W(), out);
  }
  Index n() const { return problem.n(); }
  double lost_in_score() const {
    return rounding::of(2 * (static_cast<double>(pair.w.size()) + 3));
  }
};
using Fitted = FittedIn<Problem, Pair>;

// e = kappa w + U with its products, and the x_i'e. U = sum omega a x. rounding: of its length.
struct Residual {
  Vec e;
  double square, own, w_square, rounding;
  RowVec along;

  Fitted::ScoreVector along_row(Index i) const { return Fitted::ScoreVector(along[i]); }

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
