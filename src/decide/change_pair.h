// The pair of a fit in the problem of other weights, labels and rows: (w, b) as they are, with the
// dual variables of the rows whose label stays and the slopes at those that are new. Where a free
// intercept asks for sum omega a = 0 there are several ways to it; the smallest ball is kept.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "decide/workspace.h"
#include "region/ellipsoid.h"

namespace dualmargin::decide {

// A class problem of a fit of the first a.size() rows, and the labels after the change.
template <class Data>
struct ChangedClass {
  const Workspace<Data>& space;  // with labels after the change
  ElasticNet g;
  Vec w;
  double b = 0;
  RowVec a, old_y;
};

struct Tried {
  region::Pair pair;
  region::Ball ball;

  void keep_smaller(Tried other) {
    if (other.ball.radius < ball.radius || std::isnan(ball.radius)) *this = std::move(other);
  }
};

template <class Data>
Tried tried(const region::Problem<Data>& problem, const Vec& w, double b, RowVec a, Tick& tick) {
  region::Pair pair = region::pair_of(problem, w, b, std::move(a), tick);
  region::Ball ball = region::ball_of(problem, pair);
  return {std::move(pair), std::move(ball)};
}

// sum omega a brought to 0 by the rows where that costs the gap least: moving a_i of a piecewise
// linear loss by d costs d (y_i - z_i), next to nothing for rows at a kink.
template <class Data>
RowVec filled(const region::Problem<Data>& problem, const RowVec& z, RowVec a) {
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
template <class Data>
Tried start_of(const region::Problem<Data>& problem, const ChangedClass<Data>& fit, bool changed,
               Tick& tick) {
  const region::Calculus& phi = problem.phi;
  const double b = problem.free() ? fit.b : 0.0;
  const RowVec z = problem.rows.times(fit.w, tick);
  const RowVec a = RowVec::of(problem.n(), [&](Index i) {
    const double y = problem.y(i);
    const bool same = i < fit.a.size() && y == fit.old_y[i];
    return same ? phi.nearest(fit.a[i], y) : phi.left(z[i] + b, y);
  });
  Tried best = tried(problem, fit.w, b, a, tick);
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

// A Newton step of a smooth loss with a ridge, halved until the objective does not rise; the slopes
// there are the dual variables. False where there is none.
template <class Data>
bool newton_step(const region::Problem<Data>& problem, Tried& at, Tick& tick) {
  const Vec from = at.pair.w;
  const Index n = problem.n();
  const region::Calculus& phi = problem.phi;
  RowVec h(n), slope(n);
  for (Index i = 0; i < n; ++i) {
    h[i] = problem.share[i] * phi.curvature(at.pair.z[i], problem.y(i));
    slope[i] = phi.left(at.pair.z[i], problem.y(i));
  }
  const region::Factor factor = region::factored_hessian(problem, h, tick);
  if (!factor.usable()) return false;
  const Vec step = factor.solve(region::gradient_of(problem, from, slope, tick)).head(from.size());
  if (!step.allFinite()) return false;
  const double value = problem.losses.value(at.pair.z) + problem.g.value(from);
  for (double share = 1; share > 1e-3; share /= 2) {
    const Vec w = from - share * step;
    const RowVec z = problem.rows.times(w, tick);
    const double b = problem.losses.best_intercept(z, at.pair.b);
    const double reached = problem.losses.value(RowVec(z + b)) + problem.g.value(w);
    if (!(reached <= value * (1 + 1e-14))) continue;
    at = tried(problem, w, b,
               RowVec::of(n, [&](Index i) { return phi.left(z[i] + b, problem.y(i)); }), tick);
    return true;
  }
  return false;
}

}  // namespace dualmargin::decide
