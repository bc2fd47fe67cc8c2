// Fast margin maximisation by Nesterov momentum in the dual.
// Z. Ji, N. Srebro and M. Telgarsky (2021), ICML 139, Algorithm 1; arXiv:2107.00595.
//
//   s = A'q,   g <- t/(t+1) (g + s),   w <- w + g + s,   q_e ~ exp(-a_e'w)
//
// (g is updated first, and the new g enters w). mu, the mean of the q with weights that grow like
// t, has A'mu = 2 g / t, so that with Theorem 3.1
//
//   gamma(w_t) >= \bar\gamma - 4 (1 + ln n)(1 + 2 ln(t + 1)) / (\bar\gamma (t + 1)^2),
//   |A'mu_t| >= \bar\gamma, and both ends close like log(t) / t^2.
//
// With the logistic loss (Section 5.1) q is the derivative of that loss's psi, with the same step.
#pragma once

#include "hard/hard_margin.h"

namespace dualmargin {

struct MomentumOptions {
  bool logistic = false;
};

// l'(-p_e) / l'(psi) with l(psi) = sum_e l(-p_e), l = log(1 + exp); where all p are large it is the
// soft minimum. The sum is 1 or more.
inline void logistic_weights(const Vec& p, Vec& q) {
  if (p.minCoeff() > 30) return soft_minimum(p, q);
  const double loss = p.unaryExpr([](double v) {
                         return std::max(-v, 0.0) + std::log1p(std::exp(-std::abs(v)));
                       }).sum();
  q = p.unaryExpr([](double v) { return 1 / (1 + std::exp(v)); }) / -std::expm1(-loss);
}

inline HardSolution momentum(const HardMargin& problem, const MomentumOptions& options,
                             Monitor& monitor) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  Vec w = Vec::Zero(rows.dim()), g = w, s;     // primal
  Vec c = Vec::Zero(n), cg = c, q, mu = c, p;  // and what they are made of
  q.setConstant(n, 1.0 / static_cast<double>(n));
  BestInterval best(problem, monitor);
  double t = 0;
  const auto certify = [&] {
    HardSolution now;
    if (t > 0) {
      now.w = w;
      now.c = c;
      now.q = mu;
    } else {
      now.q = q;
    }
    return best.offer(std::move(now));
  };
  while (monitor.proceed(2 * t, certify, 2)) {
    rows.combine(q, s, monitor);
    const double beta = t / (t + 1);
    g = beta * (g + s);
    w += g + s;
    cg = beta * (cg + q);
    c += cg + q;
    rows.multiply(w, p, monitor);
    options.logistic ? logistic_weights(p, q) : soft_minimum(p, q);
    t += 1;
    const double share = 2 / (t + 1);
    mu = (1 - share) * mu + share * q;
  }
  best.best.solver = "momentum";
  return best.best;
}

}  // namespace dualmargin
