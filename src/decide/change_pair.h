// The pair of a fit in the problem of other weights, labels and rows: (w, b) as they are, with the
// dual variables of the rows whose label stays and the slopes at those that are new. Where a free
// intercept asks for sum omega a = 0 there are several ways to it; the smallest ball is kept.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "decide/change_problem.h"
#include "decide/refit.h"
#include "region/newton.h"
#include "region/secant.h"

namespace dualmargin::decide {

template <class AnyPair, class AnyBall>
struct TriedIn {
  AnyPair pair;
  AnyBall ball;

  void keep_smaller(TriedIn other) {
    if (other.ball.radius < ball.radius || std::isnan(ball.radius)) *this = std::move(other);
  }
};

template <class AnyProblem, class Vector>
auto tried(const AnyProblem& problem, const Vector& w, double b, RowVec a, Tick& tick) {
  auto pair = region::pair_of(problem, w, b, std::move(a), tick);
  auto ball = region::ball_of(problem, pair);
  return TriedIn<decltype(pair), decltype(ball)>{std::move(pair), std::move(ball)};
}

// sum omega a brought to 0 by the rows where that costs the gap least: moving a_i of a piecewise
// linear loss by d costs d (y_i - z_i), next to nothing for rows at a kink.
template <class AnyProblem>
RowVec filled(const AnyProblem& problem, const RowVec& z, RowVec a) {
  constexpr double far = 1e300;
  const double need = -problem.total_weight() * problem.mean([&](Index i) { return a[i]; });
  const double sign = need > 0 ? 1 : -1;
  std::vector<Index> order;
  for (Index i = 0; i < problem.n(); ++i) {
    if (problem.omega(i) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    return sign * (problem.y(i) - z[i]) < sign * (problem.y(j) - z[j]);
  });
  double left = std::abs(need);
  for (const Index i : order) {
    if (!(left > 0)) break;
    const double end = problem.phi.nearest(sign * far, problem.y(i)), omega = problem.omega(i);
    const double taken = std::min(omega * std::abs(end - a[i]), left);
    a[i] += sign * taken / omega;
    left -= taken;
  }
  return a;
}

// changed: is it another problem at all?
template <class AnyProblem, class Vector>
auto start_of(const AnyProblem& problem, const ClassFit<Vector>& fit, bool changed, Tick& tick) {
  const Loss& phi = problem.phi;
  const double b = problem.free() ? fit.b : 0.0;
  const RowVec z = problem.rows.multiply(fit.w, tick);
  const RowVec a = RowVec::of(problem.n(), [&](Index i) {
    const double y = problem.y(i);
    const bool same = i < fit.a.size() && y == fit.old_y[i];
    return same ? phi.nearest(fit.a[i], y) : phi.left(z[i] + b, y);
  });
  auto best = tried(problem, fit.w, b, a, tick);
  if (!problem.free() || !changed) return best;
  const double sum = problem.mean([&](Index i) { return a[i]; });
  const RowVec h = RowVec::of(problem.n(), [&](Index i) { return phi.tilt(a[i], problem.y(i)); });
  const double tau = -sum / problem.mean([&](Index i) { return h[i]; });
  if (std::isfinite(tau) && std::abs(tau) <= phi.reach()) {
    best.keep_smaller(tried(problem, fit.w, b, RowVec(a + tau * h), tick));
  }
  if (phi.gamma() == 0) {
    best.keep_smaller(tried(problem, fit.w, b, filled(problem, RowVec(z + b), a), tick));
    return best;
  }
  // the intercept at its own optimum, and the slopes there: no excess is left
  const double own = problem.losses.best_intercept(z, b);
  if (std::isfinite(own)) {
    RowVec slopes =
        RowVec::of(problem.n(), [&](Index i) { return phi.left(z[i] + own, problem.y(i)); });
    best.keep_smaller(tried(problem, fit.w, own, std::move(slopes), tick));
  }
  return best;
}

// A Newton step of a smooth loss with a ridge, in direction(pair), halved until the objective does not rise; the slopes
// there are the dual variables. How far w moves, as a share of its length; NaN where there is none.
template <class AnyProblem, class AnyTried, class Direction>
double newton_step(const AnyProblem& problem, AnyTried& at, Direction direction, Tick& tick) {
  const auto from = at.pair.w;
  const Loss& phi = problem.phi;
  const auto step = direction(at.pair);
  if (!step) return NAN;
  const double value = problem.losses.value(at.pair.z) + region::penalty(problem, from);
  for (double share = 1; share > 1e-3; share /= 2) {
    auto w = region::moved(from, share, *step);
    const RowVec z = problem.rows.multiply(w, tick);
    const double b = problem.losses.best_intercept(z, at.pair.b);
    const double reached = problem.losses.value(RowVec(z + b)) + region::penalty(problem, w);
    if (!(reached <= value * (1 + rounding::of_value()))) continue;
    RowVec slopes =
        RowVec::of(problem.n(), [&](Index i) { return phi.left(z[i] + b, problem.y(i)); });
    at = tried(problem, region::remade(problem, std::move(w), tick), b, std::move(slopes), tick);
    return share * region::length(*step) / std::max(region::length(at.pair.w), 1e-300);
  }
  return NAN;
}

// What does not hang on where the rows live.
template <class AnyProblem, class AnyTried, class AnyRegion>
class ChangedIn : public ChangedProblem {
 protected:
  using Geometry = std::decay_t<decltype(AnyProblem::rows)>;
  using Pair = decltype(AnyTried::pair);
  using Vector = decltype(Pair::w);

 public:
  const Loss& phi() const override { return problem().phi; }
  bool free() const override { return problem().free(); }
  int left() const override {
    if (!free() || !phi().of_margins()) return 0;
    const auto has = [&](double sign) {
      return problem().rows.any(
          [&](Index i) { return problem().omega(i) > 0 && sign * problem().y(i) > 0; });
    };
    return (has(-1) ? 0 : 1) - (has(1) ? 0 : 1);
  }
  bool near() const override { return near(best_); }
  bool steps(Tick& tick) override {
    if (phi().gamma() == 0 || problem().g.l1 > 0 || !narrow()) return false;
    // the ball need not get smaller with every step; after a short one it is as small as rounding
    // lets it be
    constexpr double least = 1e-8;
    AnyTried at = best_;
    for (int step = 0, wider = 0; step < 20 && wider < 4 && !near(at); ++step) {
      const auto direction = [&](const auto& pair) { return this->direction(pair, tick); };
      const double moved = newton_step(problem(), at, direction, tick);
      if (std::isnan(moved)) break;
      wider = at.ball.radius < best_.ball.radius ? 0 : wider + 1;
      best_.keep_smaller(at);
      if (moved < least) break;
    }
    return true;
  }
  void look(Look how, Ends& ends, Tick& tick) const final {
    const Pair& pair = best_.pair;
    AnyRegion r;
    r.w = pair.w;
    r.b = pair.b;
    r.free = free();
    r.ball = best_.ball;
    if (r.free) {
      r.centre = region::around_of(placed(), r.ball, region::offset_rule(problem()), tick)
                     .over(placed().squares(tick), 0, 0);
    }
    if (how != Look::ball && (how == Look::all || narrow())) {
      r.ellipsoid = region::ellipsoid_of(problem(), pair, tick);
      if (how == Look::curved && !r.ellipsoid.usable()) {
        r.ellipsoid = region::secant_of(problem(), pair, r.ball, r.centre, placed(), tick);
      }
    }
    // with a curvature that is known a tilt has little to add to what is cheap
    if (r.free && (how == Look::all || (how == Look::cheap && !r.ellipsoid.usable()))) {
      r.tilt = region::tilt_of(problem(), pair, tick);
    }
    ends.intersect(intervals(r, tick));
  }

 protected:
  explicit ChangedIn(AnyTried best) : best_(std::move(best)) {}

  virtual const AnyProblem& problem() const = 0;
  // The rows as they are moved for a free intercept.
  virtual const Geometry& placed() const = 0;
  // Of the rows that are asked about.
  virtual Ends intervals(const AnyRegion& r, Tick& tick) const = 0;
  // Is a Hessian cheap beside a refit?
  virtual bool narrow() const = 0;
  // Of a Newton step.
  virtual std::optional<Vector> direction(const Pair& pair, Tick& tick) const {
    return region::direction(problem(), pair, tick);
  }

  AnyTried best_;

 private:
  static bool near(const AnyTried& point) {
    return point.ball.radius <= 1e-7 * region::length(point.pair.w);
  }
};

inline ElasticNet changed_penalty(const ElasticNet& g, Rule rule, double share) {
  return rule == Rule::cost ? ElasticNet{g.l1 * share, g.l2 * share} : g;
}

}  // namespace dualmargin::decide
