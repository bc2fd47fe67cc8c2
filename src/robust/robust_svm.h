// The Wasserstein distributionally robust support vector machine, the problem of the robust family:
// J. Li, C. Chen, A. M.-C. So (2020), Fast Epigraphical Projection-based Incremental Algorithms for
// Wasserstein Distributionally Robust Support Vector Machine, NeurIPS 33, arXiv:2010.12865, (1),
//
//   P(w, b, t) = t \epsilon + \frac1W \sum_i \omega_i h_i + \frac c2 |w|_2^2,   |w|_q \le t,
//   h_i = \max(1 - u_i,\ 1 + u_i - \kappa t,\ 0),   u_i = y_i (w^\top x_i + b),
//   W = \sum_i \omega_i,
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
// What rounding can have done to it is bounded by the sizes of the terms, see rounding().
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "algebra/norm_cone.h"
#include "base/illinois.h"
#include "base/kept.h"
#include "base/rounding.h"
#include "robust/solution.h"
#include "rows/rows.h"
#include "run/run.h"

namespace dualmargin::robust {

struct Settings {
  NormCone cone;
  double radius = 0, label_cost = 0, ridge = 0;
  bool free_intercept = false;
};

// H = (1/W) sum_i omega_i x_i x_i' with a bound on its eigenvalues; where the intercept is free of
// the columns less their mean, else that is zero.
struct Moments {
  Mat H;
  Vec mean;
  double curvature = 0;
};

class RobustSvm {
 public:
  const Rows rows;
  const Settings settings;
  const NormCone cone = settings.cone;
  const double radius = settings.radius, label_cost = settings.label_cost, ridge = settings.ridge;
  const bool free_intercept = settings.free_intercept;
  Seen* seen = nullptr;  // is told of every pair that is certified or estimated

  RobustSvm(const Rows& rows_, const Settings& s)
      : rows(rows_), settings(s), known_(std::make_shared<Known>()) {}
  // At another radius, which what is known below does not hang on.
  RobustSvm(const RobustSvm& like, double radius_)
      : rows(like.rows), settings(at(like.settings, radius_)), known_(like.known_) {}

  Index n() const { return rows.n(); }
  Index dim() const { return rows.dim(); }
  double share(Index i) const { return rows.share(i); }
  // (1/W) sum_i omega_i |x_i|^2
  double mean_square() const {
    const RowVec& squares = rows.squared_norms();
    return rows.sum([&](Index i) { return rows.share(i) * squares[i]; });
  }
  // Without a radius t costs nothing, so no label is worth a flip: the second piece drops out.
  bool flips() const { return std::isfinite(label_cost) && (radius > 0 || label_cost == 0); }
  double flip_cost() const { return flips() ? label_cost : 0.0; }
  // Without radius and ridge D(alpha, beta) = 0 but where v = 0 to the last digit: the bound is
  // then one on |w|_q <= norm_limit() only.
  bool conditional() const { return radius == 0 && ridge == 0 && label_cost > 0; }
  double norm_limit(const Vec& w) const {
    const double size = cone.norm(w);
    return size > 0 ? 10 * size : 1.0;
  }

  // What these make is kept, unless the time is over: the moments, and the norm of the saddle
  // point's bilinear form (saddle.h).
  template <class Make>
  std::shared_ptr<const Moments> moments(Make make, Tick& tick) const {
    return known_->moments.get(make, tick);
  }
  template <class Make>
  double saddle_norm(Make make, Tick& tick) const {
    return *known_->saddle_norm[flips()].get(make, tick);
  }

  // P at w = 0 and the best b and t: the yardstick of the relative gap. Without a free intercept
  // that is 1, at t = 0. With one let p be the smaller of the shares of both labels and u = b >= 0
  // for the other label. Rows of the smaller class are on their first piece, 1 + b, so
  //
  //   P(0, b, t) = t epsilon + (1 - p) max(1 - b, 1 + b - kappa t, 0) + p (1 + b),
  //
  // for b > 1 rising. In t it falls, if at all, up to the kink at kappa t = 2 b: there
  // P = 1 + b (2 p - 1 + 2 epsilon / kappa), linear in b and so least at b = 0 or at b = 1; at
  // t = 0 P = 1 + b.
  double null_value() const { return std::min(1.0, constant_value()); }

  double class_share(double label) const {
    return rows.sum([&](Index i) { return rows.y[i] == label ? rows.share(i) : 0.0; });
  }

  // Until an iterate of finite numbers is known: the best constant, and the bound 0.
  Best null_point(Iterate kept = Iterate::best) const {
    Primal s;
    s.w = Vec::Zero(dim());
    if (constant_value() < 1) {
      s.b = class_share(1) > class_share(-1) ? 1 : -1;
      s.t = std::isfinite(label_cost) ? 2 / label_cost : 0.0;
    }
    Dual d;
    d.alpha = d.beta = RowVec::Zero(n());
    Best best(kept);
    best.offer_primal(s, HUGE_VAL);
    best.offer_dual(d, 0);
    return best;
  }

  // See run/nothing.h.
  Solution with_nothing(Solution s, bool primal, bool dual) const {
    const Best none = null_point();
    if (primal) static_cast<Primal&>(s) = none.primal();
    if (dual) static_cast<Dual&>(s) = none.dual();
    return s;
  }

  double row_loss(double u, double t) const {
    const double hinge = std::max(1 - u, 0.0);
    return std::isfinite(label_cost) ? std::max(hinge, 1 + u - label_cost * t) : hinge;
  }

  // z_i = x_i'w + b
  RowVec scores(const Vec& w, double b, Tick& tick) const {
    RowVec z = rows.multiply(w, tick);
    z += b;
    return z;
  }

  // v = (1/W) sum omega_i (alpha_i - beta_i) y_i x_i
  Vec dual_sum(const RowVec& alpha, const RowVec& beta, Tick& tick) const {
    return rows.transpose_multiply(rows.weights * rows.y * (alpha - beta) / rows.total_weight,
                                   tick);
  }

  double value(const Vec& w, double t, const RowVec& z) const {
    const double losses =
        rows.sum([&](Index i) { return rows.weights[i] * row_loss(rows.y[i] * z[i], t); });
    return t * radius + losses / rows.total_weight + 0.5 * ridge * w.squaredNorm();
  }

  // The t >= |w|_q that is best for these scores. P is piecewise linear in it: row i leaves its
  // second piece at t_i = (1 + u_i - max(1 - u_i, 0)) / kappa.
  double best_t(const Vec& w, const RowVec& z) const {
    const double lowest = cone.norm(w);
    if (!std::isfinite(label_cost) || label_cost == 0) return lowest;
    std::vector<Rise> leave;
    for (Index i = 0; i < n(); ++i) {
      const double u = rows.y[i] * z[i];
      const double at = (1 + u - std::max(1 - u, 0.0)) / label_cost;
      if (rows.weights[i] > 0 && at > lowest) leave.push_back({at, label_cost * share(i)});
    }
    const auto by = [&](Index k) { return leave[k].by; };
    const double slope = radius - rows.sum(static_cast<Index>(leave.size()), by);
    return slope < 0 ? rows.balance_points(leave, slope, 0).low : lowest;
  }

  // Any multipliers into the feasible set but for the norm of v: clipped to the triangle, and for a
  // free intercept the larger of alpha_i, beta_i brought nearer to the smaller on the heavier side
  // until the sides balance. The sum of all then loses no more than they were out of balance.
  void clip_and_balance(RowVec& alpha, RowVec& beta) const {
    alpha = max(alpha, 0);
    beta = flips() ? RowVec(max(beta, 0)) : RowVec::Zero(n());
    const RowVec over = max(alpha + beta, 1);
    alpha /= over;
    beta /= over;
    if (!free_intercept) return;
    const auto pull = [&](Index i) { return rows.weights[i] * rows.y[i] * (alpha[i] - beta[i]); };
    const auto [up, down] = rows.sum([&](Index i) {
      const double force = pull(i);
      return std::array<double, 2>{std::max(force, 0.0), std::max(-force, 0.0)};
    });
    const double heavy = std::max(up, down);
    if (!(heavy > 0)) return;
    const double keep = std::min(up, down) / heavy, side = up > down ? 1 : -1;
    for (Index i = 0; i < n(); ++i) {
      if (!(side * pull(i) > 0)) continue;
      double& larger = alpha[i] > beta[i] ? alpha[i] : beta[i];
      larger = std::min(alpha[i], beta[i]) + keep * std::abs(alpha[i] - beta[i]);
    }
  }

  // Of any two points, made feasible in place: b becomes 0 unless it is free, t is raised to |w|_q.
  Certificate certify(Primal& s, Dual& d, Tick& tick) const {
    if (!free_intercept) s.b = 0;
    s.z = scores(s.w, s.b, tick);
    s.t = radius > 0 ? std::max(s.t, cone.norm(s.w)) : best_t(s.w, s.z);
    clip_and_balance(d.alpha, d.beta);
    d.v = dual_sum(d.alpha, d.beta, tick);
    return estimate(s, d);
  }
  Certificate certify(Solution& s, Tick& tick) const { return certify(s, s, tick); }

  // The same where the caller carries feasible points with their scores z and sum v. O(n + dim).
  Certificate estimate(const Primal& s, Dual& d) const {
    const double fits = dual_scale(d);
    d.alpha *= fits;
    d.beta *= fits;
    d.v *= fits;
    const double kappa = flip_cost(), W = rows.total_weight;
    const double flipped = kappa * mass_of(d.beta);
    const RowVec& length = rows.lengths();
    // what is summed, and of the rounding: the sizes of all terms; the rows with multipliers or a
    // loss, alone and times |x_i|; |alpha_i - beta_i|, alone and times |x_i|; alpha_i + beta_i
    const auto [gap, terms, active, reach, forces, pull, multipliers] = rows.sum([&](Index i) {
      const double u = rows.y[i] * s.z[i], h = row_loss(u, s.t), omega = rows.weights[i];
      const double both = d.alpha[i] + d.beta[i], force = std::abs(d.alpha[i] - d.beta[i]);
      const double flip = d.beta[i] > 0 ? d.beta[i] * (1 + u - kappa * s.t) : 0.0;
      const double on = omega * (both + (h > 0));
      return std::array<double, 7>{omega * (h - d.alpha[i] * (1 - u) - flip),
                                   omega * (h + both * (1 + std::abs(u)) + d.beta[i] * kappa * s.t),
                                   on,
                                   on * length[i],
                                   omega * force,
                                   omega * force * length[i],
                                   omega * both};
    });
    const double along = d.v.dot(s.w), on_ridge = 0.5 * ridge * s.w.squaredNorm();
    double rest = on_ridge - along, beyond = 0;
    if (conditional()) {
      rest += norm_limit(s.w) * cone.dual_norm(d.v);
    } else {
      rest += s.t * (radius - flipped);
      if (ridge > 0) beyond = distance(std::max(radius - flipped, 0.0), d.v) / ridge;
      rest += beyond;
    }
    const double sizes = terms / W + on_ridge + std::abs(along) + beyond + s.t * radius;
    const Sizes size{active / W, reach / W, forces / W, pull / W, multipliers / W};
    const Certificate c(value(s.w, s.t, s.z), gap / W + rest,
                        Certificate::rounding_of(sizes) + rounding(s, d, flipped, beyond, size));
    if (seen != nullptr) seen->offer(s, d, c);
    return c;
  }

  // Takes from a certified point what is better, or last, and says what the pair is then worth.
  Certificate offer(Best& best, const Solution& s, const Certificate& c) const {
    best.offer_primal(s, c.value);
    if (c.gap >= 0 && std::isfinite(c.bound)) best.offer_dual(s, c.bound);
    const Certificate pair = best.certificate();
    if (std::isfinite(pair.value)) return pair;
    return Certificate(null_value(), null_value() - best.bound());
  }
  // Of the pair that a run has found, from the definitions.
  Certificate certify(const Best& best, Tick& tick) const {
    Primal s = best.primal();
    Dual d = best.dual();
    return certify(s, d, tick);
  }

 private:
  struct Known {
    KeptInTime<Moments> moments;
    KeptInTime<double> saddle_norm[2];  // without flips, and with them
  };
  static Settings at(Settings s, double radius) {
    s.radius = radius;
    return s;
  }

  struct Sizes {
    double active, reach, forces, pull, multipliers;
  };

  // How far the gap of estimate() can be from that of its point in exact arithmetic, but for the
  // sums, base/rounding.h. A score is off by k roundings of |x_i| |w|, k those of the longest row,
  // and two of |b|, which moves the rows with multipliers or a loss; v by
  // \delta = (8 + additions) u \frac1W \sum_i \omega_i |\alpha_i - \beta_i| |x_i|;
  // theta by 16 u epsilon and by what Rows leave of flipped. D then moves by
  // \delta (|w| + dist / c), or, where no ridge forgives that |v|_p > theta, by the share of the
  // multipliers that feasibility takes. What they are out of balance, r, counts |b| times, and
  // costs as much of the multipliers and their part of v to balance.
  double rounding(const Primal& s, const Dual& d, double flipped, double beyond,
                  const Sizes& size) const {
    const double w_size = s.w.stableNorm(), columns = static_cast<double>(dim());
    const double nonzeros = rows.longest_row();
    const double in_scores = rounding::of_score(nonzeros + 5) * w_size * size.reach +
                             rounding::of(2) * std::abs(s.b) * size.active;
    double off_v = rounding::of(rows.additions() + 8) * size.pull;
    double in_balance = 0;
    if (free_intercept) {
      const double out = std::abs(balance(d)) + rows.sum_rounding() * size.multipliers;
      in_balance = out * (1 + std::abs(s.b));
      if (size.forces > 0) off_v += out * size.pull / size.forces;
    }
    const Norm p = cone.dual().q;
    const double in_norm = p == Norm::l1 ? std::sqrt(nonzeros) * off_v : off_v;
    const double off_theta = rounding::of(16) * radius + rows.sum_rounding() * flipped;
    double in_dual = w_size * off_v;
    if (conditional()) {
      in_dual += norm_limit(s.w) * in_norm;
    } else if (ridge > 0) {
      const double slope = std::sqrt(2 * beyond / ridge);  // dist / c
      in_dual += slope * (off_v + (p == Norm::linf ? std::sqrt(columns) : 1.0) * off_theta);
    } else {
      const double excess = cone.dual_norm(d.v) + in_norm + off_theta + flipped - radius;
      if (excess > 0) in_dual += radius > 0 ? excess / radius * size.multipliers : HUGE_VAL;
    }
    return in_scores + in_balance + in_dual + s.t * off_theta;
  }

  // sum_i omega_i a_i / W
  template <class A>
  double mass_of(const A& a) const {
    return rows.sum([&](Index i) { return rows.weights[i] * a[i]; }) / rows.total_weight;
  }
  // sum_i omega_i y_i (alpha_i - beta_i) / W
  double balance(const Dual& d) const {
    return rows.sum([&](Index i) {
      return rows.weights[i] * rows.y[i] * (d.alpha[i] - d.beta[i]);
    }) / rows.total_weight;
  }
  // P(0, b, t) at |b| = 1, the label of the larger class
  double constant_value() const {
    if (!free_intercept || label_cost == 0) return 1;
    return 2 * std::min(class_share(1), class_share(-1)) + 2 * radius / label_cost;
  }
  // half the squared distance of v from the ball of the dual norm
  double distance(double theta, const Vec& v) const {
    return 0.5 * cone.dual().squared_distance(theta, v);
  }

  // The multiple of (alpha, beta) that is feasible and best. Two roundings below the boundary, so
  // that the constraint holds in floating point. With a ridge D is concave in the multiple s, and
  //
  //   D'(s) = (1/W) sum_i omega_i (alpha_i + beta_i) - [(s v - z)'v + nu flipped] / c,
  //
  // z the projection of s v onto the ball of radius epsilon - s flipped, which pulls with nu.
  double dual_scale(const Dual& d) const {
    if (conditional()) return 1;
    const double below = 1 - 4e-16;
    const double flipped = flip_cost() * mass_of(d.beta);
    if (ridge == 0) {
      const double needs = cone.dual_norm(d.v) + flipped;
      return needs > radius * below ? radius / needs * below : 1.0;
    }
    const double most = flipped > radius * below ? radius / flipped * below : 1.0;
    const double sum = mass_of(d.alpha + d.beta);
    const auto slope = [&](double s) {
      Vec z = s * d.v;
      const double nu = cone.dual().project_ball(std::max(radius - s * flipped, 0.0), z);
      return sum - ((s * d.v - z).dot(d.v) + nu * flipped) / ridge;
    };
    const double at_most = slope(most);
    if (!(at_most < 0)) return most;
    return illinois(slope, 0, sum, most, at_most, 1e-12 * sum);
  }

  std::shared_ptr<Known> known_;
};

// Where every method begins: w = 0 with t = 1, as the paper's code does, and half of each label.
inline Solution starting_point(const RobustSvm& problem, const Solution& start) {
  Solution s = start;
  if (s.w.size() == 0) {
    s.w = Vec::Zero(problem.dim());
    s.t = 1;
  }
  if (s.alpha.size() == 0) {
    s.alpha = RowVec::Constant(problem.n(), 0.5);
    s.beta = RowVec::Zero(problem.n());
  }
  return s;
}

}  // namespace dualmargin::robust
