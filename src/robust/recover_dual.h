// Feasible multipliers for a primal point that came without any.
//
// Rows that are clearly in one piece of their loss have a vertex of the triangle for multipliers.
// The others, those near a kink, share what is left: with the clear rows replaced by their pieces
//
//   min_{|w|_q <= t} max_{(alpha_i, beta_i) in the triangle, i near a kink}
//     t theta_0 - v_0'w - v_b b + c/2 |w|^2 + const
//     + sum_i omega_i / W [alpha_i (1 - u_i) + beta_i (1 + u_i - kappa t)]
//
// is a problem of the same kind with fewer rows, and a piece is never above its row's loss: what
// bounds this problem bounds the whole one. The restarted method of pdhg.h solves it, from the
// point and its last multipliers, for as long as it may.
//
// The active pieces alone would not do: at the optimum most rows can lie on a kink, and the share
// of each piece decides whether v and theta fit (J. Li, C. Chen, A. M.-C. So (2020),
// arXiv:2010.12865, have no multipliers and no bound).
#pragma once

#include "robust/pdhg.h"

namespace dualmargin::robust {

// A row is near a kink when its two largest pieces differ by less than this, or when it is among
// the kink_rows_per_column (columns + 2) nearest ones.
constexpr double kink_width = 0.01;
constexpr Index kink_rows_per_column = 3;
constexpr int recovery_steps_between_bounds = 8;
// Epochs that a recovery may always take, at the limit of the fit's epochs too.
constexpr double least_recovery = 20;

template <class Data>
class KinkProblem {
 public:
  // Everything that is linear in the multipliers: v, v_b, theta and their sum.
  struct Pull {
    Vec w;
    double b = 0, t = 0, sum = 0;
  };
  struct Iterate {
    RobustPoint at;
    Pull pull;

    void mix(double share, const Iterate& other) {
      at.w += share * (other.at.w - at.w);
      at.b += share * (other.at.b - at.b);
      at.t += share * (other.at.t - at.t);
      at.alpha += share * (other.at.alpha - at.alpha);
      at.beta += share * (other.at.beta - at.beta);
      pull.w += share * (other.pull.w - pull.w);
      pull.b += share * (other.pull.b - pull.b);
      pull.t += share * (other.pull.t - pull.t);
      pull.sum += share * (other.pull.sum - pull.sum);
    }
  };

  // Leaves the multipliers of the clear rows in s.
  KinkProblem(const RobustSvm<Data>& problem, RobustPoint& s, Run& run)
      : p_(problem), kappa_(problem.flip_cost()) {
    const Index n = p_.n();
    const Vec z = p_.scores(s.w, s.b, run);
    start_.at = s;
    start_.at.t = p_.radius > 0 ? std::max(s.t, norm(p_.q, s.w)) : p_.best_t(s.w, z);
    value_ = p_.value(s.w, start_.at.t, z);
    limit_ = p_.norm_limit(s.w);
    Vec width(n);
    std::vector<int> piece(n);
    for (Index i = 0; i < n; ++i) {
      const double u = p_.y[i] * z[i];
      double h[3] = {1 - u, p_.flips() ? 1 + u - kappa_ * start_.at.t : -HUGE_VAL, 0};
      piece[i] = static_cast<int>(std::max_element(h, h + 3) - h);
      std::sort(h, h + 3);
      width[i] = p_.weights[i] > 0 ? h[2] - h[1] : HUGE_VAL;
      if (!(width[i] >= 0)) width[i] = HUGE_VAL;  // of a score that is not finite
    }
    const Index count = std::min(n, kink_rows_per_column * (p_.x.dim() + 2));
    Vec sorted = width;
    std::nth_element(sorted.data(), sorted.data() + count - 1, sorted.data() + n);
    const double near = std::max(sorted[count - 1], kink_width);
    clear_.w = Vec::Zero(p_.x.dim());
    clear_.t = p_.radius;
    for (Index i = 0; i < n; ++i) {
      if (width[i] <= near) {
        rows_.push_back(i);
        continue;
      }
      s.alpha[i] = piece[i] == 0;
      s.beta[i] = piece[i] == 1;
      add(clear_, i, s.alpha[i], s.beta[i]);
    }
    start_.at.alpha = Vec::Zero(size());
    start_.at.beta = Vec::Zero(size());
    for (Index k = 0; k < size(); ++k) {
      start_.at.alpha[k] = s.alpha[rows_[k]];
      if (p_.flips()) start_.at.beta[k] = s.beta[rows_[k]];
      project_triangle(start_.at.alpha[k], start_.at.beta[k]);
      weight_ += p_.share(rows_[k]);
    }
    start_.pull = pull(start_.at);
  }

  const std::vector<Index>& rows() const { return rows_; }
  Index size() const { return static_cast<Index>(rows_.size()); }
  // Of a step, which passes twice over these rows, in epochs.
  double price() const { return 2.0 * static_cast<double>(size()) / static_cast<double>(p_.n()); }
  const Iterate& start() const { return start_; }

  // P at the point less what certify() will make of these multipliers, but for the balancing of a
  // free intercept, which costs about |v_b|.
  double gap(const Pull& g) const {
    const double flipped = p_.radius - g.t, force = norm(p_.p(), g.w);
    double bound = g.sum - std::abs(g.b);
    if (p_.conditional()) {
      bound -= limit_ * force;
    } else {
      const double needs = (p_.ridge > 0 ? 0 : force) + flipped;
      const double fits = needs > p_.radius ? p_.radius / needs : 1.0;
      bound -= (1 - fits) * g.sum;
      if (p_.ridge > 0) {
        const double theta = std::max(p_.radius - fits * flipped, 0.0);
        bound -= squared_distance_to_ball(p_.p(), theta, fits * g.w) / (2 * p_.ridge);
      }
    }
    return value_ - bound;
  }
  double value() const { return value_; }

  // One step of Chambolle and Pock, with tau = 1 / (nu k) and sigma = nu / k.
  void step(Iterate& s, double nu, double k) const {
    const double tau = 1 / (nu * k), sigma = nu / k, m = 1 + tau * p_.ridge;
    Vec w = (s.at.w + tau * s.pull.w) / m;
    const double b = s.at.b + tau * s.pull.b;
    double t = s.at.t - tau * s.pull.t;
    project_epigraph(p_.q, m, w, t);
    const Vec ahead = 2 * w - s.at.w;
    const double ahead_b = 2 * b - s.at.b, ahead_t = 2 * t - s.at.t;
    for (Index j = 0; j < size(); ++j) {
      const double u = p_.y[rows_[j]] * (p_.x.dot(rows_[j], ahead) + ahead_b);
      s.at.alpha[j] += sigma * (1 - u);
      if (p_.flips()) s.at.beta[j] += sigma * (1 + u - kappa_ * ahead_t);
      project_triangle(s.at.alpha[j], s.at.beta[j]);
    }
    s.at.w = std::move(w);
    s.at.b = b;
    s.at.t = t;
    s.pull = pull(s.at);
  }

  double operator_norm(Run& run) const {
    return form_norm(p_, 15, 0.05, run, [this](RobustPoint& s) {
      Pull g;
      g.w = Vec::Zero(s.w.size());
      for (const Index i : rows_) {
        const double u = p_.y[i] * (p_.x.dot(i, s.w) + s.b);
        add(g, i, -u, p_.flips() ? u - kappa_ * s.t : 0.0);
      }
      s.w = -g.w, s.b = -g.b, s.t = g.t;
    });
  }

  // Distances of the primal and of the multipliers, in the norms of the method.
  double primal_distance(const Iterate& a, const Iterate& b) const {
    return std::sqrt((a.at.w - b.at.w).squaredNorm() + std::pow(a.at.b - b.at.b, 2) +
                     std::pow(a.at.t - b.at.t, 2));
  }
  double dual_distance(const Iterate& a, const Iterate& b) const {
    return std::sqrt(sum_over(size(), [&](Index k) {
      return p_.share(rows_[k]) * (std::pow(a.at.alpha[k] - b.at.alpha[k], 2) +
                                   std::pow(a.at.beta[k] - b.at.beta[k], 2));
    }));
  }
  // The multipliers can move that far; the point, from which the rows near a kink were chosen,
  // hardly.
  double first_weight() const { return std::sqrt(weight_) / (0.01 * (1 + start_.at.w.norm())); }

 private:
  void add(Pull& g, Index i, double alpha, double beta) const {
    const double share = p_.share(i), force = share * (alpha - beta) * p_.y[i];
    if (force != 0) p_.x.axpy(i, force, g.w);
    if (p_.free_intercept) g.b += force;
    g.t -= kappa_ * share * beta;
    g.sum += share * (alpha + beta);
  }
  Pull pull(const RobustPoint& s) const {
    Pull g = clear_;
    for (Index k = 0; k < size(); ++k) add(g, rows_[k], s.alpha[k], s.beta[k]);
    return g;
  }

  const RobustSvm<Data>& p_;
  double kappa_, value_ = 0, limit_ = 0, weight_ = 0;
  std::vector<Index> rows_;
  Pull clear_;
  Iterate start_;
};

// Multipliers of s for its (w, b, t), in place; the ones it has are where the search starts. Spends
// about `work` epochs, or less if the bound is good enough, and returns what it spent.
template <class Data>
double recover_dual(const RobustSvm<Data>& problem, RobustPoint& s, double work, Run& run) {
  const KinkProblem<Data> kinks(problem, s, run);
  const double k = kinks.operator_norm(run), goal = 0.1 * run.tolerance() * kinks.value();
  auto now = kinks.start(), anchor = now, mean = now, best = now;
  double nu = kinks.first_weight(), least = kinks.gap(now.pull), at_restart = least, last = least;
  double spent = 8 * kinks.price();  // the norm and the start
  const auto may_go_on = [&] {
    return spent < work && run.tick().poll() && (spent < least_recovery || !run.exhausted(spent));
  };
  for (long step = 0, inner = 0; least > goal && may_go_on(); ++step) {
    kinks.step(now, nu, k);
    spent += kinks.price();
    if (inner++ == 0) mean = now;
    mean.mix(1 / static_cast<double>(inner), now);
    if (step % recovery_steps_between_bounds != 0 && may_go_on()) continue;

    const double here = kinks.gap(now.pull), there = kinks.gap(mean.pull);
    const double gap = std::min(here, there);
    const auto& better = there < here ? mean : now;
    if (gap < least) best = better, least = gap;
    const bool restart = gap <= restart_sufficient * at_restart ||
                         (gap <= restart_necessary * at_restart && gap > last) ||
                         static_cast<double>(inner) >= restart_long * static_cast<double>(step);
    last = gap;
    if (!restart) continue;
    if (&better == &mean) now = mean;
    const double dx = kinks.primal_distance(now, anchor), dy = kinks.dual_distance(now, anchor);
    if (dx > 1e-10 && dy > 1e-10) nu = std::sqrt(dy / dx * nu);
    anchor = now;
    inner = 0;
    at_restart = gap;
  }
  for (Index j = 0; j < kinks.size(); ++j) {
    s.alpha[kinks.rows()[j]] = best.at.alpha[j];
    s.beta[kinks.rows()[j]] = best.at.beta[j];
  }
  return spent;
}

}  // namespace dualmargin::robust
