// Fast margin maximisation by Nesterov momentum in the dual.
// Z. Ji, N. Srebro and M. Telgarsky (2021), Fast Margin Maximization via Dual Acceleration,
// ICML 139, Algorithm 1; arXiv:2107.00595.
//
//   s = A'q,   g <- t/(t+1) (g + s),   w <- w + g + s,   q_e ~ exp(-a_e'w)
//
// (g is updated first, and the new g enters w; the q of the first step is uniform). mu, the mean of
// the q with weights that grow like t, has A'mu = 2 g / t. Theorem 3.1, for |a_e| <= 1:
//
//   gamma(w_t) >= \bar\gamma - 4 (1 + ln n)(1 + 2 ln(t + 1)) / (\bar\gamma (t + 1)^2),
//   |A'mu_t|^2 - 8 ln n / (t + 1)^2 <= \bar\gamma^2 <= |A'mu_t|^2.
//
// With the logistic loss (Section 5.1) q is the gradient of that loss's psi, whose sum is 1 or
// more. differs: the analysis of Appendix C has the step 1/n there; Section 5.1 keeps 1, and so do
// we.
#include <algorithm>
#include <cmath>

#include "hard/solvers.h"

namespace dualmargin::hard {
namespace {

// l'(-p_e) / l'(psi) with l(psi) = sum_e l(-p_e), l = log(1 + exp); where all p are large it is the
// soft minimum.
void logistic_weights(const Vec& p, Vec& q) {
  if (p.minCoeff() > 30) return soft_minimum(p, q);
  const double loss = p.unaryExpr([](double v) {
                         return std::max(-v, 0.0) + std::log1p(std::exp(-std::abs(v)));
                       }).sum();
  q = p.unaryExpr([](double v) { return 1 / (1 + std::exp(v)); }) / -std::expm1(-loss);
}

}  // namespace

MomentumState::MomentumState(const MarginRows& rows)
    : w(Vec::Zero(rows.dim())), g(w), c(Vec::Zero(rows.size())), cg(c), q(c), mu(c) {
  q.setConstant(1.0 / static_cast<double>(rows.size()));
}

void MomentumState::step(const MarginRows& rows, bool logistic, Tick& tick) {
  Vec s;
  rows.combine(q, s, tick);
  const double beta = t / (t + 1);
  g = beta * (g + s);
  w += g + s;
  cg = beta * (cg + q);
  c += cg + q;
  rows.multiply(w, p, tick);
  logistic ? logistic_weights(p, q) : soft_minimum(p, q);
  t += 1;
  const double lambda = 2 / (t + 1);
  mu = (1 - lambda) * mu + lambda * q;
}

Solution momentum(const HardMargin& problem, bool logistic, Run& run) {
  const MarginRows& rows = problem.rows;
  MomentumState state(rows);
  Best best(run.iterate());
  const auto estimate = [&] {
    if (state.t == 0) return problem.offer(best, {Vec(), Vec(), state.q}, run);
    return problem.offer(best, {state.w, state.c, state.mu}, run, state.p);
  };
  const auto exact = [&] { return problem.certify(best, run); };
  while (run.proceed(estimate, exact, 1)) {
    const auto support = static_cast<double>(count_nonzero(state.q));
    run.spend(support * rows.row_price() + rows.multiply_price());
    state.step(rows, logistic, run);
    run.count_step();
  }
  return best.solution("momentum");
}

}  // namespace dualmargin::hard
