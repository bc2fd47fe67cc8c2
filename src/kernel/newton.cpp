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
#include "kernel/newton.h"

#include <utility>
#include <vector>

#include "algebra/cholesky.h"
#include "algebra/line_search.h"
#include "kernel/solvers.h"

namespace dualmargin::kernel {

template <class Problem>
typename Problem::Solution newton_method(const Problem& problem,
                                         const typename Problem::Solution& start,
                                         StepTarget<Problem> target, Run& run) {
  using Array = typename Problem::Array;
  const double lambda = problem.space.lambda();
  typename Problem::Solution s = start;
  s.a = problem.dual_or_rest(s.a);
  Array beta = s.beta.size() > 0 ? s.beta : problem.coefficients(s);
  s.beta = Array();
  Array f = problem.x().multiply(beta, run);
  Intercept<Array> b = problem.losses.best_intercept(f, s.b);
  const auto estimate = [&] {
    s.a = problem.losses.slopes(raised(f, b));
    s.b = b;
    problem.losses.balance(s.a);
    s.f = problem.x().multiply(problem.coefficients(s), run);
    return problem.estimate(s, s, run);
  };
  const auto certify = [&] { return problem.certify(s, s, run); };

  while (run.proceed(estimate, certify, 0)) {
    const FullStep<Array> full = target(f, b, run.tick());
    if (full.beta.size() == 0) break;
    const Array step = full.beta - beta, df = problem.x().multiply(step, run);
    const Array dz = raised(df, full.delta_b), z = raised(f, b);
    const auto along = [&](double t) {
      const auto [slope, bend] = problem.losses.along((z + t * dz).eval(), dz);
      const double d = lambda * (beta + t * step).cwiseProduct(df).sum() + slope;
      return LineSlope{d, d, lambda * step.cwiseProduct(df).sum() + bend};
    };
    const double t = exact_step(along(0).right, along);
    if (t == 0) break;
    beta += t * step;
    f += t * df;
    b = problem.losses.best_intercept(f, b + t * full.delta_b);
    run.count_step();
    run.spend(full.price);
  }
  s.solver = "newton";
  return s;
}

template Solution newton_method(const KernelProblem&, const Solution&, StepTarget<KernelProblem>,
                                Run&);
template SoftmaxSolution newton_method(const SoftmaxProblem&, const SoftmaxSolution&,
                                       StepTarget<SoftmaxProblem>, Run&);

namespace {

FullStep<Vec> newton_target(const KernelProblem& p, const Vec& f, double b, Tick& tick) {
  Slopes at;
  p.losses.dual_steps(f, b, p.losses.rest(), 0, at);
  std::vector<Index> curved;
  for (Index i = 0; i < p.n(); ++i) {
    if (p.losses.omega[i] * at.curvature[i] > 0) curved.push_back(i);
  }
  const Index m = static_cast<Index>(curved.size());
  FullStep<Vec> full;
  Vec beta = p.space.coefficients(at.slope.local());
  for (const Index i : curved) beta[i] = 0;
  const Vec rest = p.x().multiply(beta, tick);
  Vec root(m), right(m), row(p.n());
  Mat A(m, m);
  for (Index k = 0; k < m; ++k) {
    const Index i = curved[k];
    root[k] = std::sqrt(-p.space.unit(i) * at.curvature[i]);
    const double c = p.space.unit(i) * (at.slope[i] - at.curvature[i] * f[i]);
    right[k] = c / root[k] - root[k] * rest[i];
    row.setZero();
    p.x().axpy(i, 1, row);
    for (Index j = 0; j <= k; ++j) A(k, j) = root[k] * root[j] * row[curved[j]];
    A(k, k) += 1;
    if (!tick.poll()) return full;
  }
  Cholesky factor;
  if (!factor.factor(std::move(A), tick)) return full;
  Vec gamma = factor.solve(right);
  if (p.losses.free_intercept && m > 0) {
    const Vec along = factor.solve(root);
    full.delta_b = (beta.sum() + root.dot(gamma)) / root.dot(along);
    gamma -= full.delta_b * along;
  }
  for (Index k = 0; k < m; ++k) beta[curved[k]] = root[k] * gamma[k];
  full.beta = std::move(beta);
  // a step took as long as n / 259 epochs of blocks at 1,000 rows, n / 148 at 2,000 and n / 112 at
  // 3,000
  const double n = static_cast<double>(p.n()), share = static_cast<double>(m) / n;
  full.price = 3 + share + share * share * share * n / 120;
  return full;
}

}  // namespace

Solution newton(const KernelProblem& problem, const Solution& start, Run& run) {
  return newton_method(
      problem, start,
      [&](const Vec& f, double b, Tick& tick) { return newton_target(problem, f, b, tick); }, run);
}

}  // namespace dualmargin::kernel
