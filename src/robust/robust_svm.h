// The Wasserstein distributionally robust support vector machine, the problem of the robust family:
// J. Li, C. Chen, A. M.-C. So (2020), Fast Epigraphical Projection-based Incremental Algorithms for
// Wasserstein Distributionally Robust Support Vector Machine, NeurIPS 33, arXiv:2010.12865, (1),
//
//   P(w, b, t) = t \epsilon + \frac1W \sum_i \omega_i h_i + \frac c2 |w|_2^2,   |w|_q \le t,
//   h_i = \max(1 - u_i,\ 1 + u_i - \kappa t,\ 0),   u_i = y_i (w^\top x_i + b),   W = \sum_i
//   \omega_i,
//
// with the radius \epsilon, the label cost \kappa in [0, \infty] and the ridge c; t is the paper's
// \lambda. Its dual has multipliers of the first two pieces, \alpha_i, \beta_i \ge 0, \alpha_i +
// \beta_i \le 1 (without the row's weight), and for a free b  \sum_i \omega_i y_i (\alpha_i -
// \beta_i) = 0:
//
//   D(\alpha, \beta) = \frac1W \sum_i \omega_i (\alpha_i + \beta_i) - dist_2(v, \theta B_p)^2 / 2c,
//   v = \frac1W \sum_i \omega_i (\alpha_i - \beta_i) y_i x_i,
//   \theta = \epsilon - \frac\kappa W \sum_i \omega_i \beta_i \ge 0,     1/p + 1/q = 1;
//
// for c = 0 the distance must be zero. The gap is summed as
//
//   \frac1W \sum_i \omega_i [h_i - \alpha_i (1 - u_i) - \beta_i (1 + u_i - \kappa t)]
//     + [t \theta - v^\top w + \frac c2 |w|_2^2 + dist_2(v, \theta B_p)^2 / 2c],
//
// both parts non-negative: nothing cancels near the optimum.
#pragma once

#include <limits>
#include <numeric>
#include <vector>

#include "core/golden_section.h"
#include "core/monitor.h"
#include "core/solution.h"
#include "robust/epigraph.h"

namespace dualmargin {

struct RobustPoint {
  Vec w;
  double b = 0, t = 0;
  Vec alpha, beta;
  const char* solver = "";  // the one that finished
};

struct RobustSettings {
  Norm q = Norm::l1;
  double radius = 0, label_cost = 0, ridge = 0;
};

template <class D>
struct RobustSvm : RobustSettings {
  using Data = D;

  const Data& x;
  const Vec& y;
  const Vec& weights;
  bool free_intercept;
  double total_weight;

  RobustSvm(const Data& x_, const Vec& y_, const Vec& weights_, const RobustSettings& settings,
            bool free)
      : RobustSettings(settings),
        x(x_),
        y(y_),
        weights(weights_),
        free_intercept(free),
        total_weight(weights_.sum()) {}

  Index n() const { return x.n(); }
  double share(Index i) const { return weights[i] / total_weight; }
  // Without a radius t costs nothing, so no label is worth a flip: the second piece drops out.
  bool flips() const { return std::isfinite(label_cost) && (radius > 0 || label_cost == 0); }
  double flip_cost() const { return flips() ? label_cost : 0.0; }
  // Without radius and ridge D(alpha, beta) = 0 but where v = 0 to the last digit: the bound is
  // then one on |w|_q <= norm_limit() only.
  bool conditional() const { return radius == 0 && ridge == 0 && label_cost > 0; }
  double norm_limit(const Vec& w) const {
    const double size = norm(q, w);
    return size > 0 ? 10 * size : 1.0;
  }
  Norm p() const { return dual(q); }

  // P at w = 0, b = 0, t = 0: the yardstick of the relative gap.
  double null_value() const { return 1; }

  double row_loss(double u, double t) const {
    const double hinge = std::max(1 - u, 0.0);
    return std::isfinite(label_cost) ? std::max(hinge, 1 + u - label_cost * t) : hinge;
  }

  // z_i = x_i'w + b
  Vec scores(const Vec& w, double b, Monitor& monitor) const {
    Vec z(n());
    for (Index i = 0; i < n(); ++i) {
      z[i] = x.dot(i, w) + b;
      monitor.tick_rows(i);
    }
    return z;
  }

  // v = (1/W) sum omega_i (alpha_i - beta_i) y_i x_i
  Vec dual_sum(const Vec& alpha, const Vec& beta, Monitor& monitor) const {
    Vec v = Vec::Zero(x.dim());
    for (Index i = 0; i < n(); ++i) {
      const double coef = share(i) * (alpha[i] - beta[i]) * y[i];
      if (coef != 0) x.axpy(i, coef, v);
      monitor.tick_rows(i);
    }
    return v;
  }

  double value(const Vec& w, double t, const Vec& z) const {
    const double losses =
        sum_over(n(), [&](Index i) { return weights[i] * row_loss(y[i] * z[i], t); });
    return t * radius + losses / total_weight + 0.5 * ridge * w.squaredNorm();
  }

  // The t >= |w|_q that is best for these scores. P is piecewise linear in it: row i leaves its
  // second piece at t_i = (1 + u_i - max(1 - u_i, 0)) / kappa.
  double best_t(const Vec& w, const Vec& z) const {
    const double lowest = norm(q, w);
    if (!std::isfinite(label_cost) || label_cost == 0) return lowest;
    std::vector<std::pair<double, double>> leave;
    for (Index i = 0; i < n(); ++i) {
      const double u = y[i] * z[i];
      const double at = (1 + u - std::max(1 - u, 0.0)) / label_cost;
      if (weights[i] > 0 && at > lowest) leave.emplace_back(at, share(i));
    }
    std::sort(leave.begin(), leave.end(), std::greater<>());
    Sum flipped;
    for (const auto& [at, weight] : leave) {
      flipped.add(weight);
      if (label_cost * flipped.value() > radius) return at;
    }
    return lowest;
  }

  // Any multipliers into the feasible set but for the norm of v: clipped to the triangle, and for a
  // free intercept the larger of alpha_i, beta_i brought nearer to the smaller on the heavier side
  // until the sides balance. The sum of all then loses no more than they were out of balance.
  void clip_and_balance(Vec& alpha, Vec& beta) const {
    for (Index i = 0; i < n(); ++i) {
      alpha[i] = std::max(alpha[i], 0.0);
      beta[i] = flips() ? std::max(beta[i], 0.0) : 0.0;
      const double sum = alpha[i] + beta[i];
      if (sum > 1) alpha[i] /= sum, beta[i] /= sum;
    }
    if (!free_intercept) return;
    Sum up, down;
    const auto pull = [&](Index i) { return weights[i] * y[i] * (alpha[i] - beta[i]); };
    for (Index i = 0; i < n(); ++i) {
      const double force = pull(i);
      (force > 0 ? up : down).add(std::abs(force));
    }
    const double heavy = std::max(up.value(), down.value());
    if (!(heavy > 0)) return;
    const double keep = std::min(up.value(), down.value()) / heavy;
    const bool upper = up.value() > down.value();
    for (Index i = 0; i < n(); ++i) {
      const double force = pull(i);
      if (!(upper ? force > 0 : force < 0)) continue;
      double& larger = alpha[i] > beta[i] ? alpha[i] : beta[i];
      larger = std::min(alpha[i], beta[i]) + keep * std::abs(alpha[i] - beta[i]);
    }
  }

  // Any point: t is raised to |w|_q, the multipliers are made feasible in place.
  Certificate certify(RobustPoint& s, Vec& z, Monitor& monitor) const {
    z = scores(s.w, s.b, monitor);
    s.t = radius > 0 ? std::max(s.t, norm(q, s.w)) : best_t(s.w, z);
    clip_and_balance(s.alpha, s.beta);
    Vec v = dual_sum(s.alpha, s.beta, monitor);
    return certify_at(s.w, s.t, z, s.alpha, s.beta, v);
  }
  Certificate certify(RobustPoint& s, Monitor& monitor) const {
    Vec z;
    return certify(s, z, monitor);
  }

  // Everything computed: scores z, multipliers clipped and balanced, their sum v. O(n + dim).
  Certificate certify_at(const Vec& w, double t, const Vec& z, Vec& alpha, Vec& beta,
                         Vec& v) const {
    const double fits = dual_scale(alpha, beta, v);
    alpha *= fits;
    beta *= fits;
    v *= fits;
    const double kappa = flip_cost();
    const double flipped = kappa * weights.dot(beta) / total_weight;
    const double rows = sum_over(n(), [&](Index i) {
      const double u = y[i] * z[i];
      const double flip = beta[i] > 0 ? beta[i] * (1 + u - kappa * t) : 0.0;
      return weights[i] * (row_loss(u, t) - alpha[i] * (1 - u) - flip);
    });
    double rest = 0.5 * ridge * w.squaredNorm() - v.dot(w);
    if (conditional()) {
      rest += norm_limit(w) * norm(p(), v);
    } else {
      rest += t * (radius - flipped);
      if (ridge > 0) {
        rest += squared_distance_to_ball(p(), std::max(radius - flipped, 0.0), v) / (2 * ridge);
      }
    }
    return Certificate(value(w, t, z), rows / total_weight + rest);
  }

 private:
  // The multiple of (alpha, beta) that is feasible and best. Two roundings below the boundary, so
  // that the constraint holds in floating point.
  double dual_scale(const Vec& alpha, const Vec& beta, const Vec& v) const {
    if (conditional()) return 1;
    const double below = 1 - 4e-16;
    const double flipped = flip_cost() * weights.dot(beta) / total_weight;
    if (ridge == 0) {
      const double needs = norm(p(), v) + flipped;
      return needs > radius * below ? radius / needs * below : 1.0;
    }
    const double most = flipped > radius * below ? radius / flipped * below : 1.0;
    const double sum = weights.dot(alpha + beta) / total_weight;
    const auto bound = [&](double s) {
      return s * sum - squared_distance_to_ball(p(), std::max(radius - s * flipped, 0.0), s * v) /
                           (2 * ridge);
    };
    // near the optimum the whole multipliers are best: then no search
    if (most == 1 && bound(1 - 1e-7) < bound(1)) return 1;
    return golden_section(bound, 0, most, 70, 0);
  }
};

// The best primal and the best dual point of a run; any feasible pair bounds the optimum.
struct RobustIncumbent {
  RobustPoint best;
  double value = HUGE_VAL, bound = -HUGE_VAL;

  Certificate offer(const RobustPoint& s, const Certificate& c) {
    if (c.value < value) {
      value = c.value;
      best.w = s.w;
      best.b = s.b;
      best.t = s.t;
    }
    if (c.bound > bound) {
      bound = c.bound;
      best.alpha = s.alpha;
      best.beta = s.beta;
    }
    return Certificate(value, value - bound);
  }
};

// Where every method begins: w = 0 with t = 1, as the paper's code does; no multipliers.
template <class Data>
RobustPoint starting_point(const RobustSvm<Data>& problem, const RobustPoint& start) {
  RobustPoint s = start;
  if (s.w.size() == 0) {
    s.w = Vec::Zero(problem.x.dim());
    s.t = 1;
  }
  if (s.alpha.size() == 0) {
    s.alpha = Vec::Constant(problem.n(), 0.5);
    s.beta = Vec::Zero(problem.n());
  }
  return s;
}

}  // namespace dualmargin
