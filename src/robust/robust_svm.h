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
//
// Rounding. eps times a modest number bounds what a computed sum can be off, relative to the sum of
// its terms' sizes; see rounding().
#pragma once

#include <limits>
#include <numeric>
#include <vector>

#include "base/golden_section.h"
#include "robust/epigraph.h"
#include "robust/robust_point.h"
#include "run/run.h"

namespace dualmargin::robust {

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
        total_weight(weights_.sum()),
        length_(x_.n()) {
    for (Index i = 0; i < x_.n(); ++i) {
      length_[i] = length(i);
      most_nonzeros_ = std::max(most_nonzeros_, static_cast<double>(x_.nonzeros(i)));
    }
  }

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

  // P at w = 0 and the best b and t: the yardstick of the relative gap. Without a free intercept
  // that is 1, at t = 0. With one let p be the smaller of the shares of both labels and u = b >= 0
  // for the other label. Rows of the smaller class are on their first piece, 1 + b, so
  //
  //   P(0, b, t) = t epsilon + (1 - p) max(1 - b, 1 + b - kappa t, 0) + p (1 + b),
  //
  // for b > 1 rising. In t it falls, if at all, up to the kink at kappa t = 2 b: there P = 1 + b (2
  // p
  // - 1 + 2 epsilon / kappa), linear in b and so least at b = 0 or at b = 1; at t = 0 P = 1 + b.
  double null_value() const { return std::min(1.0, constant_value()); }

  // A point that every problem has: the best constant, and the bound 0.
  RobustPoint null_point() const {
    RobustPoint s;
    s.w = Vec::Zero(x.dim());
    s.alpha = s.beta = Vec::Zero(n());
    if (!(constant_value() < 1)) return s;
    s.b = class_share(1) > class_share(-1) ? 1 : -1;
    s.t = std::isfinite(label_cost) ? 2 / label_cost : 0.0;
    return s;
  }

  double row_loss(double u, double t) const {
    const double hinge = std::max(1 - u, 0.0);
    return std::isfinite(label_cost) ? std::max(hinge, 1 + u - label_cost * t) : hinge;
  }

  // z_i = x_i'w + b
  Vec scores(const Vec& w, double b, Run& run) const {
    Vec z(n());
    for (Index i = 0; i < n(); ++i) {
      z[i] = x.dot(i, w) + b;
      run.tick().row(i);
    }
    return z;
  }

  // v = (1/W) sum omega_i (alpha_i - beta_i) y_i x_i
  Vec dual_sum(const Vec& alpha, const Vec& beta, Run& run) const {
    Vec v = Vec::Zero(x.dim()), part = v;
    // in blocks: equal terms, as of rows on one piece, would add up their rounding
    Index filled = 0, size = 0;
    const Index least = static_cast<Index>(std::sqrt(static_cast<double>(n())));
    for (Index i = 0; i < n(); ++i) {
      const double coef = share(i) * (alpha[i] - beta[i]) * y[i];
      run.tick().row(i);
      if (coef == 0) continue;
      x.axpy(i, coef, part);
      size += x.nonzeros(i);
      if (++filled < least || size < x.dim()) continue;
      v += part;
      part.setZero();
      filled = size = 0;
    }
    return v + part;
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

  // Any point: b becomes 0 unless it is free, t is raised to |w|_q, the multipliers are made
  // feasible in place.
  Certificate certify(RobustPoint& s, Vec& z, Run& run) const {
    if (!free_intercept) s.b = 0;
    z = scores(s.w, s.b, run);
    s.t = radius > 0 ? std::max(s.t, norm(q, s.w)) : best_t(s.w, z);
    clip_and_balance(s.alpha, s.beta);
    Vec v = dual_sum(s.alpha, s.beta, run);
    return certify_at(s, z, v);
  }
  Certificate certify(RobustPoint& s, Run& run) const {
    Vec z;
    return certify(s, z, run);
  }

  // Everything computed: scores z, multipliers clipped and balanced, their sum v. O(n + dim).
  Certificate certify_at(RobustPoint& s, const Vec& z, Vec& v) const {
    const double fits = dual_scale(s.alpha, s.beta, v);
    s.alpha *= fits;
    s.beta *= fits;
    v *= fits;
    const double kappa = flip_cost();
    const double flipped = kappa * weights.dot(s.beta) / total_weight;
    Sizes size;
    const double rows = sum_over(n(), [&](Index i) {
      const double u = y[i] * z[i], h = row_loss(u, s.t), alpha = s.alpha[i], beta = s.beta[i];
      const double flip = beta > 0 ? beta * (1 + u - kappa * s.t) : 0.0;
      const double both = alpha + beta, active = both + (h > 0), force = std::abs(alpha - beta);
      size.terms += weights[i] * (h + both * (1 + std::abs(u)) + beta * kappa * s.t);
      size.active += weights[i] * active;
      size.reach += weights[i] * active * length_[i];
      size.forces += weights[i] * force;
      size.pull += weights[i] * force * length_[i];
      size.multipliers += weights[i] * both;
      return weights[i] * (h - alpha * (1 - u) - flip);
    });
    const double along = v.dot(s.w), on_ridge = 0.5 * ridge * s.w.squaredNorm();
    double rest = on_ridge - along, beyond = 0;
    if (conditional()) {
      rest += norm_limit(s.w) * norm(p(), v);
    } else {
      rest += s.t * (radius - flipped);
      if (ridge > 0) {
        beyond = squared_distance_to_ball(p(), std::max(radius - flipped, 0.0), v) / (2 * ridge);
        rest += beyond;
      }
    }
    size.rest = on_ridge + std::abs(along) + beyond + s.t * radius;
    return Certificate(value(s.w, s.t, z), rows / total_weight + rest,
                       rounding(s, v, flipped, beyond, size / total_weight));
  }

 private:
  static constexpr double eps = 2.2e-16;

  // Sums over the rows, each times its weight; rest: of what is no sum over rows.
  struct Sizes {
    double terms = 0, active = 0, reach = 0, forces = 0, pull = 0, multipliers = 0, rest = 0;

    Sizes operator/(double W) const {
      return {terms / W, active / W, reach / W, forces / W, pull / W, multipliers / W, rest};
    }
  };

  // How far the gap of certify_at() can be from that of its point in exact arithmetic. In units of
  // eps: a score is off by (8 + sqrt(nonzeros)) |x_i| |w| + |b|, which moves the rows with
  // multipliers or a loss; v by \delta = (8 + \sqrt n) \frac1W \sum_i \omega_i |\alpha_i - \beta_i|
  // |x_i| (N. J. Higham, T. Mary (2019), SIAM Journal on Scientific Computing 41, A2815-A2835:
  // roundings of a sum add up like a random walk); theta by 8 (epsilon + flipped). D then moves by
  // \delta (|w| + dist / c), or, where no ridge forgives that |v|_p > theta, by the share of the
  // multipliers that feasibility takes. What they are out of balance, r, counts |b| times, and
  // costs as much of the multipliers and their part of v to balance.
  double rounding(const RobustPoint& s, const Vec& v, double flipped, double beyond,
                  const Sizes& size) const {
    const double w_size = s.w.stableNorm(), columns = static_cast<double>(x.dim());
    const double in_scores = eps * (8 + std::sqrt(most_nonzeros_)) * w_size * size.reach +
                             eps * std::abs(s.b) * size.active;
    double off_v = eps * (8 + std::sqrt(static_cast<double>(n()))) * size.pull;
    double in_balance = 0;
    if (free_intercept) {
      const double out = std::abs(balance(s.alpha, s.beta)) + 8 * eps * size.multipliers;
      in_balance = out * (1 + std::abs(s.b));
      if (size.forces > 0) off_v += out * size.pull / size.forces;
    }
    const double in_norm = p() == Norm::l1 ? std::sqrt(most_nonzeros_) * off_v : off_v;
    const double off_theta = 8 * eps * (radius + flipped);
    double in_dual = w_size * off_v;
    if (conditional()) {
      in_dual += norm_limit(s.w) * in_norm;
    } else if (ridge > 0) {
      const double slope = std::sqrt(2 * beyond / ridge);  // dist / c
      in_dual += slope * (off_v + (p() == Norm::linf ? std::sqrt(columns) : 1.0) * off_theta);
    } else {
      const double excess = norm(p(), v) + in_norm + off_theta + flipped - radius;
      if (excess > 0) in_dual += radius > 0 ? excess / radius * size.multipliers : HUGE_VAL;
    }
    return Certificate::rounding_of(size.terms + size.rest) + in_scores + in_balance + in_dual +
           s.t * off_theta;
  }

  // sum_i omega_i y_i (alpha_i - beta_i) / W
  double balance(const Vec& alpha, const Vec& beta) const {
    return sum_over(n(), [&](Index i) { return weights[i] * y[i] * (alpha[i] - beta[i]); }) /
           total_weight;
  }

  double class_share(double label) const {
    return sum_over(n(), [&](Index i) { return y[i] == label ? weights[i] : 0.0; }) / total_weight;
  }
  // P(0, b, t) at |b| = 1, the label of the larger class
  double constant_value() const {
    if (!free_intercept || label_cost == 0) return 1;
    return 2 * std::min(class_share(1), class_share(-1)) + 2 * radius / label_cost;
  }

  // |x_i|, whatever its size
  double length(Index i) const {
    const double square = x.squared_norm(i);
    if (square > 1e-280 && square < 1e280) return std::sqrt(square);
    double largest = 0, scaled = 0;
    x.for_each(i, [&](Index, double value) { largest = std::max(largest, std::abs(value)); });
    if (!(largest > 0)) return 0;
    x.for_each(i, [&](Index, double value) { scaled += (value / largest) * (value / largest); });
    return largest * std::sqrt(scaled);
  }

  Vec length_;
  double most_nonzeros_ = 0;

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

// Where every method begins: w = 0 with t = 1, as the paper's code does, and half of each label.
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

}  // namespace dualmargin::robust
