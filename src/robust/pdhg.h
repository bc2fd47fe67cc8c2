// Restarted primal-dual hybrid gradient: A. Chambolle, T. Pock (2011), Journal of Mathematical
// Imaging and Vision 40, 120-145, Algorithm 1; restarts and primal weight: D. Applegate, O. Hinder,
// H. Lu, M. Lubin (2023), Mathematical Programming 201, 133-184, and D. Applegate et al. (2021),
// NeurIPS 34, arXiv:2106.04756.
//
//   min_{x = (w, b, t)} max_{(alpha_i, beta_i) in the triangle}
//     t epsilon + c/2 |w|^2 + sum_i omega_i / W [alpha_i (1 - u_i) + beta_i (1 + u_i - kappa t)],
//
// |w|_q <= t. With k the norm of the bilinear form, the dual measured by the weights omega_i / W,
// the steps are tau = 1 / (nu k) for x and sigma = nu / k for the multipliers, and nu is the primal
// weight. Two passes over the data a step, and nothing of size d^2: for many columns.
#pragma once

#include "robust/robust_svm.h"

namespace dualmargin::robust {

// Restart when the gap has fallen to a fifth since the last restart, when it has fallen a little
// and begins to rise again, or when the run since then is long (Applegate et al., section 5.1).
constexpr double restart_sufficient = 0.2, restart_necessary = 0.8, restart_long = 0.36;
constexpr int steps_between_gaps = 32;

// (alpha, beta) onto alpha, beta >= 0, alpha + beta <= 1
inline void project_triangle(double& alpha, double& beta) {
  const double difference = alpha - beta;
  alpha = std::max(alpha, 0.0);
  beta = std::max(beta, 0.0);
  if (alpha + beta <= 1) return;
  alpha = std::clamp((difference + 1) / 2, 0.0, 1.0);
  beta = 1 - alpha;
}

// The norm of x = (w, b, t) -> (-u_i, u_i - kappa t) by power iteration: `twice` applies the map
// and its transpose to x in place, the share `more` is added for what the iteration misses. Of no
// use once the run is out of time.
template <class Data, class Twice>
double form_norm(const RobustSvm<Data>& problem, int iterations, double more, Run& run,
                 Twice twice) {
  RobustPoint x;
  x.w = Vec::Ones(problem.x.dim());
  x.b = problem.free_intercept;
  x.t = problem.flip_cost() > 0;
  const auto length = [&] { return std::sqrt(x.w.squaredNorm() + x.b * x.b + x.t * x.t); };
  double largest = 0;
  for (int k = 0; k < iterations && run.tick().poll(); ++k) {
    const double size = length();
    if (!(size > 0)) break;
    x.w /= size, x.b /= size, x.t /= size;
    twice(x);
    largest = length();
  }
  return largest > 0 ? (1 + more) * std::sqrt(largest) : 1.0;
}

template <class Data>
class SaddleForm {
 public:
  SaddleForm(const RobustSvm<Data>& problem, Run& run)
      : problem_(problem), run_(run), kappa_(problem.flip_cost()) {}

  // Gradients by x at the multipliers: (v, v_b, theta)
  struct Pull {
    Vec w;
    double b, t;
  };
  Pull pull(const RobustPoint& s) const {
    Pull g{problem_.dual_sum(s.alpha, s.beta, run_), 0, problem_.radius};
    for (Index i = 0; i < problem_.n(); ++i) {
      g.t -= kappa_ * problem_.share(i) * s.beta[i];
      if (problem_.free_intercept) {
        g.b += problem_.share(i) * problem_.y[i] * (s.alpha[i] - s.beta[i]);
      }
    }
    return g;
  }

  double norm(int iterations) const {
    return form_norm(problem_, iterations, 0.01, run_, [this](RobustPoint& s) {
      s.alpha = -problem_.y.cwiseProduct(problem_.scores(s.w, s.b, run_));
      s.beta = Vec::Zero(problem_.n());
      if (problem_.flips()) s.beta = (-s.alpha.array() - kappa_ * s.t).matrix();
      const Pull g = pull(s);
      s.w = -g.w, s.b = -g.b, s.t = g.t - problem_.radius;
    });
  }

 private:
  const RobustSvm<Data>& problem_;
  Run& run_;
  double kappa_;
};

template <class Data>
RobustPoint pdhg(const RobustSvm<Data>& problem, const RobustPoint& start, Run& run) {
  const SaddleForm<Data> form(problem, run);
  constexpr int power_iterations = 40;
  const double k = form.norm(power_iterations), kappa = problem.flip_cost();
  run.spend(power_iterations);
  run.be_patient(2);  // the primal weight finds its size in long plateaus

  RobustPoint s = starting_point(problem, start);  // the iterate
  RobustPoint average = s, anchor = s;             // since the last restart, which was at anchor
  double nu = 1, at_restart = HUGE_VAL, last = HUGE_VAL;
  long inner = 0, steps = 0;
  bool average_is_better = false;

  RobustIncumbent incumbent(problem);
  double gap = HUGE_VAL;  // of the better of iterate and average
  const auto certify = [&] {
    RobustPoint a = s, b = average;
    const Certificate here = problem.certify(a, run), mean = problem.certify(b, run);
    average_is_better = inner > 0 && mean.gap < here.gap;
    gap = std::min(here.gap, inner > 0 ? mean.gap : HUGE_VAL);
    incumbent.offer(a, here);
    return inner > 0 ? incumbent.offer(b, mean) : incumbent.offer(a, here);
  };

  while (run.proceed(run.spend(steps == 0 ? 1 : steps_between_gaps + 2), certify, 0)) {
    if (!s.finite()) break;  // there is no next iterate
    const bool restart =
        steps > 0 && (gap <= restart_sufficient * at_restart ||
                      (gap <= restart_necessary * at_restart && gap > last) ||
                      static_cast<double>(inner) >= restart_long * static_cast<double>(steps));
    last = gap;
    if (restart) {
      if (average_is_better) s = average;
      const double dx = std::sqrt((s.w - anchor.w).squaredNorm() + std::pow(s.b - anchor.b, 2) +
                                  std::pow(s.t - anchor.t, 2));
      const double dy = std::sqrt(sum_over(problem.n(), [&](Index i) {
        return problem.share(i) * (std::pow(s.alpha[i] - anchor.alpha[i], 2) +
                                   std::pow(s.beta[i] - anchor.beta[i], 2));
      }));
      if (dx > 1e-10 && dy > 1e-10) nu = std::sqrt(dy / dx * nu);  // smoothed on a log scale
      anchor = s;
      inner = 0;
      at_restart = last = gap;
    }
    for (int step = 0; step < steps_between_gaps && run.tick().poll(); ++step) {
      const double tau = 1 / (nu * k), sigma = nu / k;
      const auto g = form.pull(s);
      const double m = 1 + tau * problem.ridge;
      RobustPoint next = s;
      next.w = (s.w + tau * g.w) / m;
      next.b = s.b + tau * g.b;
      next.t = s.t - tau * g.t;
      project_epigraph(problem.q, m, next.w, next.t);
      const Vec z = problem.scores(2 * next.w - s.w, 2 * next.b - s.b, run);
      const double t = 2 * next.t - s.t;
      for (Index i = 0; i < problem.n(); ++i) {
        const double u = problem.y[i] * z[i];
        next.alpha[i] += sigma * (1 - u);
        next.beta[i] = problem.flips() ? next.beta[i] + sigma * (1 + u - kappa * t) : 0.0;
        project_triangle(next.alpha[i], next.beta[i]);
      }
      s = std::move(next);
      ++inner, ++steps;
      if (inner == 1) average = s;
      const double share = 1 / static_cast<double>(inner);
      average.w += share * (s.w - average.w);
      average.b += share * (s.b - average.b);
      average.t += share * (s.t - average.t);
      average.alpha += share * (s.alpha - average.alpha);
      average.beta += share * (s.beta - average.beta);
      run.count_step();
    }
  }
  incumbent.best.solver = "pdhg";
  return incumbent.best;
}

}  // namespace dualmargin::robust
