// Margin maximisation with rows drawn from the dual variables, a column of A A' a step.
// Z. Ji, N. Srebro and M. Telgarsky (2021), Fast Margin Maximization via Dual Acceleration,
// ICML 139, Algorithm 2; arXiv:2107.00595.
//
//   e ~ q,   g <- beta_t (g + a_e),   w <- w + theta (g + a_e),   q_e ~ exp(-a_e'w)
//
//   momentum   beta_t = t/(t+1), theta = 1: the paper's choice in practice, without a theorem
//   theory     beta_t = 0, theta = sqrt(ln n / T) for T steps: Theorem 4.1
//
// With momentum (t + 1) g_t = sum_{j <= t} j a_{e_j}, and summed over t
//
//   w_{t+1} = B + H_{t+1} A,   A = sum_j j a_{e_j},   B = sum_j (1 - j H_j) a_{e_j},
//
// H the harmonic numbers: a step changes one coefficient of A and of B. The upper ends are those of
// q ~ the coefficients of A, where it is 2 |g| / t, and of the mean of the draws.
#include <cmath>

#include "hard/solvers.h"

namespace dualmargin::hard {

Solution adaptive(const HardMargin& problem, const AdaptiveOptions& options, Sampler& sampler,
                  Run& run) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  const double steps = std::max(1.0, options.epochs / rows.column_price());
  const double theta = options.momentum ? 1 : std::sqrt(std::log(static_cast<double>(n)) / steps);
  Vec cA = Vec::Zero(n), cB = cA;  // of A and B; w is made where it is asked for
  Vec pA = cA, pB = cA, p = cA;    // A A, A B and p = A w
  Vec q;
  std::vector<double> totals(n);
  double t = 0, H = 0;  // H_t
  Index support = 0;
  Best best(run.iterate());
  const auto certify = [&] {
    const Vec c = cB + H * cA;
    return problem.offer(best, c, options.momentum && t > 1 ? cA : c, p, run);
  };
  run.be_patient(HUGE_VAL);  // slow, but never stuck
  while (run.proceed(certify, problem.certificate_price(support))) {
    soft_minimum(p, q);
    double total = 0;
    for (Index e = 0; e < n; ++e) totals[e] = total += q[e];
    const Index e = sampler.weighted(totals);
    const Vec column = rows.column(e, run);
    support += cA[e] == 0 && cB[e] == 0;
    if (options.momentum) {
      cA[e] += t;
      cB[e] += 1 - t * H;
      pA += t * column;
      pB += (1 - t * H) * column;
      H += 1 / (t + 1);
      p = pB + H * pA;
    } else {
      cB[e] += theta;
      p += theta * column;
    }
    t += 1;
    run.spend(rows.column_price());
    run.count_step();
  }
  return best.solution("adaptive");
}

}  // namespace dualmargin::hard
