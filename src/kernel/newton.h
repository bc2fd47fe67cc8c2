// Newton's method for a smooth loss, semismooth where its slope has kinks, in the coefficients of
// the expansion. O. Chapelle (2007), Training a support vector machine in the primal, Neural
// Computation 19, 1155-1178, section 3.
//
//   min_{\beta, b}  P(\beta, b) = \frac\lambda2 \beta' K \beta
//                                 + \frac1W \sum_i \omega_i \phi((K \beta)_i + b; y_i)
//
// With the slopes g and curvatures h of the losses at the scores f + b, a Newton step leads to the
// root of  \beta_i = -\frac{\omega_i}{W \lambda} [g_i + h_i ((K \beta)_i + \delta_b - f_i)].
// Rows without curvature have their coefficient at once; the others, with d_i = \omega_i h_i / (W
// \lambda) and \beta = D^{1/2} \gamma, solve
//
//   (I + D^{1/2} K_{FF} D^{1/2}) \gamma = D^{-1/2} c - D^{1/2} (r + \delta_b),
//
// r the scores that the fixed rows leave on them, c the step's constants; \delta_b makes
// \sum \beta_i zero where the intercept is free. The line search along the step is exact.
//
//   beta, f, b   coefficients, their scores K beta (a penalised intercept is part of it), intercept
//   a            dual point, the slopes at f + b
#pragma once

#include <utility>
#include <vector>

#include "algebra/line_search.h"
#include "algebra/normal_matrix.h"
#include "kernel/kernel_problem.h"

namespace dualmargin::kernel {

// The model at a point: slopes and curvatures of the losses, and the rows that have any.
struct KernelModel : Slopes {
  std::vector<Index> curved;

  KernelModel(const KernelProblem& problem, const Vec& f, double b) {
    problem.losses.dual_steps(f, b, problem.zero(), 0, *this);
    for (Index i = 0; i < f.size(); ++i) {
      if (problem.weights[i] * curvature[i] > 0) curved.push_back(i);
    }
  }
};

struct KernelStep {
  Vec beta;
  double delta_b = 0;
};

// The coefficients that a full step leads to; empty where the matrix cannot be factorised or the
// time is over.
inline KernelStep newton_target(const KernelProblem& p, const KernelModel& model, const Vec& f,
                                Tick& tick) {
  const Index m = static_cast<Index>(model.curved.size());
  KernelStep target;
  target.beta = p.space.coefficients(model.slope);
  for (const Index i : model.curved) target.beta[i] = 0;
  const Vec rest = p.x().multiply(target.beta, tick);
  Vec root(m), right(m);
  Mat A(m, m);
  Vec row(p.n());
  for (Index k = 0; k < m; ++k) {
    const Index i = model.curved[k];
    root[k] = std::sqrt(-p.space.unit(i) * model.curvature[i]);
    const double c = p.space.unit(i) * (model.slope[i] - model.curvature[i] * f[i]);
    right[k] = c / root[k] - root[k] * rest[i];
    row.setZero();
    p.x().axpy(i, 1, row);
    for (Index j = 0; j <= k; ++j) A(k, j) = root[k] * root[j] * row[model.curved[j]];
    A(k, k) += 1;
    if (!tick.poll()) return KernelStep();
  }
  Cholesky factor;
  if (!factor.factor(std::move(A), tick)) return KernelStep();
  Vec gamma = factor.solve(right);
  if (p.free_intercept && m > 0) {
    const Vec along = factor.solve(root);
    target.delta_b = (target.beta.sum() + root.dot(gamma)) / root.dot(along);
    gamma -= target.delta_b * along;
  }
  for (Index k = 0; k < m; ++k) target.beta[model.curved[k]] = root[k] * gamma[k];
  return target;
}

inline Solution newton(const KernelProblem& problem, const Solution& start, Run& run) {
  const Index n = problem.n();
  Solution s = start;
  if (s.a.size() != n) s.a = problem.zero();
  Vec beta = s.beta.size() > 0 ? s.beta : problem.coefficients(s);
  s.beta = Vec();
  Vec f = problem.x().multiply(beta, run);
  double b = problem.losses.best_intercept(f, s.b);
  const auto estimate = [&] {
    s.a = KernelModel(problem, f, b).slope;
    s.b = b;
    problem.losses.balance(s.a);
    s.f = problem.x().multiply(problem.coefficients(s), run);
    return problem.estimate(s, s, run);
  };
  const auto certify = [&] { return problem.certify(s, s, run); };

  while (run.proceed(estimate, certify, 0)) {
    const KernelModel model(problem, f, b);
    const KernelStep target = newton_target(problem, model, f, run);
    if (target.beta.size() == 0) break;
    const Vec step = target.beta - beta;
    const Vec df = problem.x().multiply(step, run);
    const Vec dz = (df.array() + target.delta_b).matrix();
    Slopes at;
    const auto along = [&](double t) {
      problem.losses.dual_steps(f + t * dz, b, s.a, 0, at);
      const Vec pull = problem.weights.cwiseProduct(at.slope) / problem.total_weight;
      const Vec bend = problem.weights.cwiseProduct(at.curvature) / problem.total_weight;
      const double d = problem.space.lambda() * (beta + t * step).dot(df) + pull.dot(dz);
      return LineSlope{d, d, problem.space.lambda() * step.dot(df) + bend.dot(dz.cwiseAbs2())};
    };
    const double t = exact_step(along(0).right, along);
    if (t == 0) break;
    beta += t * step;
    f += t * df;
    b = problem.losses.best_intercept(f, b + t * target.delta_b);
    run.count_step();
    const double curved = static_cast<double>(model.curved.size()) / static_cast<double>(n);
    // the factorisation runs some four times as fast as a pass over the kernel
    run.spend(3 + curved + curved * curved * curved * static_cast<double>(n) / 12);
  }
  s.solver = "newton";
  return s;
}

}  // namespace dualmargin::kernel
