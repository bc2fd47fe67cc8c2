// Feasible multipliers for a primal point that came without any.
//
// Rows that are clearly in one piece of their loss have a vertex of the triangle for multipliers.
// The others, those near a kink, share what is left: with the clear rows replaced by their pieces
//
//   min_{|w|_q <= t} max_{kink rows} t theta_0 - v_0'w - v_b b + c/2 |w|^2
//     + sum_kink omega_i / W [alpha_i (1 - u_i) + beta_i (1 + u_i - kappa t)] + const
//
// is a small problem of the same kind, whose multipliers are feasible for the whole one as well:
// replacing a row by one of its pieces leaves any bound a bound. A short run of the method of
// pdhg.h on the kink rows finds them.
#pragma once

#include "robust/pdhg.h"

namespace dualmargin {

template <class Data>
class KinkRows {
 public:
  KinkRows(const RobustSvm<Data>& problem, RobustPoint& s, Monitor& monitor)
      : p_(problem), s_(s), monitor_(monitor), kappa_(problem.flip_cost()) {
    split();
  }

  // Epochs spent, at most about `work`.
  double run(double work) {
    const double price = 2 * static_cast<double>(rows_.size()) / static_cast<double>(p_.n());
    const long most = static_cast<long>(work / std::max(price, 1e-3));
    if (rows_.empty() || most < 1) return 0;
    return solve(most) * price;
  }

 private:
  // (v, v_b, theta, sum of the multipliers): all linear in the multipliers.
  struct Pull {
    Vec w;
    double b = 0, t = 0, sum = 0;
    void mix(double share, const Pull& other) {
      w += share * (other.w - w);
      b += share * (other.b - b);
      t += share * (other.t - t);
      sum += share * (other.sum - sum);
    }
  };

  void split() {
    const Vec z = p_.scores(s_.w, s_.b, monitor_);
    const double t = p_.radius > 0 ? std::max(s_.t, norm(p_.q, s_.w)) : p_.best_t(s_.w, z);
    const Index n = p_.n();
    value_ = p_.value(s_.w, t, z);
    t_ = t;
    Vec distance(n);
    std::vector<int> piece(n);
    for (Index i = 0; i < n; ++i) {
      const double u = p_.y[i] * z[i];
      double h[3] = {1 - u, p_.flips() ? 1 + u - kappa_ * t : -HUGE_VAL, 0};
      piece[i] = static_cast<int>(std::max_element(h, h + 3) - h);
      const double top = h[piece[i]];
      std::sort(h, h + 3);
      distance[i] = p_.weights[i] > 0 ? top - h[1] : HUGE_VAL;
    }
    const Index count = std::min(n, 3 * (p_.x.dim() + 2));
    Vec sorted = distance;
    std::nth_element(sorted.data(), sorted.data() + count - 1, sorted.data() + n);
    const double threshold = sorted[count - 1];
    constant_.w = Vec::Zero(p_.x.dim());
    constant_.t = p_.radius;
    for (Index i = 0; i < n; ++i) {
      if (distance[i] <= threshold && static_cast<Index>(rows_.size()) < count) {
        rows_.push_back(i);
        continue;
      }
      s_.alpha[i] = piece[i] == 0;
      s_.beta[i] = piece[i] == 1;
      add(constant_, i, s_.alpha[i], s_.beta[i]);
    }
    const Index size = static_cast<Index>(rows_.size());
    alpha_.resize(size);
    beta_.resize(size);
    for (Index k = 0; k < size; ++k) {
      alpha_[k] = s_.alpha[rows_[k]];
      beta_[k] = p_.flips() ? s_.beta[rows_[k]] : 0.0;
      project_triangle(alpha_[k], beta_[k]);
    }
  }

  void add(Pull& g, Index i, double alpha, double beta) const {
    const double share = p_.share(i), force = share * (alpha - beta) * p_.y[i];
    if (force != 0) p_.x.axpy(i, force, g.w);
    if (p_.free_intercept) g.b += force;
    g.t -= kappa_ * share * beta;
    g.sum += share * (alpha + beta);
  }
  Pull pull(const Vec& alpha, const Vec& beta) const {
    Pull g = constant_;
    for (Index k = 0; k < alpha.size(); ++k) add(g, rows_[k], alpha[k], beta[k]);
    return g;
  }

  // What certify() will make of these multipliers, but for the balancing of a free intercept, which
  // costs about |v_b|.
  double bound(const Pull& g) const {
    const double flipped = p_.radius - g.t, size = norm(p_.p(), g.w);
    if (p_.conditional()) return g.sum - p_.norm_limit(s_.w) * size - std::abs(g.b);
    const double needs = p_.ridge > 0 ? flipped : size + flipped;
    const double fits = needs > p_.radius ? p_.radius / needs : 1.0;
    const double far = p_.ridge > 0
                           ? squared_distance_to_ball(
                                 p_.p(), std::max(p_.radius - fits * flipped, 0.0), fits * g.w) /
                                 (2 * p_.ridge)
                           : 0;
    return fits * g.sum - far - std::abs(g.b);
  }

  double operator_norm() const {
    Vec w = Vec::Ones(p_.x.dim());
    double b = p_.free_intercept, t = kappa_ > 0, largest = 0;
    for (int k = 0; k < 15; ++k) {
      const double size = std::sqrt(w.squaredNorm() + b * b + t * t);
      if (!(size > 0)) break;
      w /= size, b /= size, t /= size;
      Pull g;
      g.w = Vec::Zero(w.size());
      for (const Index i : rows_) {
        const double u = p_.y[i] * (p_.x.dot(i, w) + b);
        add(g, i, -u, p_.flips() ? u - kappa_ * t : 0.0);
      }
      w = -g.w, b = -g.b, t = g.t;
      largest = std::sqrt(w.squaredNorm() + b * b + t * t);
    }
    return largest > 0 ? 1.05 * std::sqrt(largest) : 1.0;
  }

  double solve(long most);

  const RobustSvm<Data>& p_;
  RobustPoint& s_;
  Monitor& monitor_;
  double kappa_, t_ = 0, value_ = 0;
  std::vector<Index> rows_;
  Vec alpha_, beta_;
  Pull constant_;
};

template <class Data>
double KinkRows<Data>::solve(long most) {
  const double k = operator_norm();
  Vec w = s_.w, best_alpha = alpha_, best_beta = beta_;
  double b = s_.b, t = t_;
  Pull g = pull(alpha_, beta_);
  double best = bound(g);

  // averages and anchor since the last restart
  Pull mean_g = g;
  Vec mean_w = w, mean_alpha = alpha_, mean_beta = beta_, anchor_w = w, anchor_alpha = alpha_,
      anchor_beta = beta_;
  double mean_b = b, mean_t = t, anchor_b = b, anchor_t = t;
  const Index size = alpha_.size();
  double share_of_rows = 0;
  for (const Index i : rows_) share_of_rows += p_.share(i);
  double nu = std::sqrt(share_of_rows) / (0.01 * (1 + w.norm()));
  double at_restart = value_ - best, last = at_restart;
  long inner = 0, step = 0;
  for (; step < most; ++step) {
    const double tau = 1 / (nu * k), sigma = nu / k, m = 1 + tau * p_.ridge;
    Vec next = (w + tau * g.w) / m;
    const double next_b = b + tau * g.b;
    double next_t = t - tau * g.t;
    project_epigraph(p_.q, m, next, next_t);
    const Vec ahead = 2 * next - w;
    const double ahead_b = 2 * next_b - b, ahead_t = 2 * next_t - t;
    for (Index j = 0; j < size; ++j) {
      const double u = p_.y[rows_[j]] * (p_.x.dot(rows_[j], ahead) + ahead_b);
      alpha_[j] += sigma * (1 - u);
      beta_[j] = p_.flips() ? beta_[j] + sigma * (1 + u - kappa_ * ahead_t) : 0.0;
      project_triangle(alpha_[j], beta_[j]);
    }
    w = next, b = next_b, t = next_t;
    g = pull(alpha_, beta_);
    ++inner;
    const double share = 1 / static_cast<double>(inner);
    if (inner == 1) mean_g = g;
    mean_g.mix(share, g);
    mean_w += share * (w - mean_w);
    mean_b += share * (b - mean_b);
    mean_t += share * (t - mean_t);
    mean_alpha += share * (alpha_ - mean_alpha);
    mean_beta += share * (beta_ - mean_beta);
    if (step % 8 != 7 && step + 1 < most) continue;
    const double here = bound(g), mean = bound(mean_g);
    if (here > best) best = here, best_alpha = alpha_, best_beta = beta_;
    if (mean > best) best = mean, best_alpha = mean_alpha, best_beta = mean_beta;
    const double gap = value_ - std::max(here, mean);
    if (value_ - best <= 0.1 * monitor_.tolerance() * value_ || monitor_.exhausted(0)) break;
    if (gap <= restart_sufficient * at_restart ||
        (gap <= restart_necessary * at_restart && gap > last) ||
        static_cast<double>(inner) >= restart_long * static_cast<double>(step)) {
      if (mean > here) {
        w = mean_w, b = mean_b, t = mean_t, g = mean_g, alpha_ = mean_alpha, beta_ = mean_beta;
      }
      const double dx = std::sqrt((w - anchor_w).squaredNorm() + std::pow(b - anchor_b, 2) +
                                  std::pow(t - anchor_t, 2));
      double dy = 0;
      for (Index j = 0; j < size; ++j) {
        dy += p_.share(rows_[j]) *
              (std::pow(alpha_[j] - anchor_alpha[j], 2) + std::pow(beta_[j] - anchor_beta[j], 2));
      }
      dy = std::sqrt(dy);
      if (dx > 1e-10 && dy > 1e-10) nu = std::sqrt(dy / dx * nu);
      anchor_w = w, anchor_b = b, anchor_t = t, anchor_alpha = alpha_, anchor_beta = beta_;
      inner = 0;
      at_restart = gap;
    }
    last = gap;
    monitor_.tick();
  }
  for (Index j = 0; j < size; ++j) {
    s_.alpha[rows_[j]] = best_alpha[j];
    s_.beta[rows_[j]] = best_beta[j];
  }
  return static_cast<double>(step);
}

// Multipliers of s for its (w, b, t), the ones it has being the start; returns the epochs spent.
template <class Data>
double recover_dual(const RobustSvm<Data>& problem, RobustPoint& s, double work, Monitor& monitor) {
  KinkRows<Data> kinks(problem, s, monitor);
  return kinks.run(work);
}

}  // namespace dualmargin
