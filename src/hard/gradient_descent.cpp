// Gradient descent on the exponential loss, plain or normalised, as the paper's baselines.
// Z. Ji and M. Telgarsky (2021), Characterizing the Implicit Bias via a Primal-Dual Analysis,
// ALT, PMLR 132, 772-804, arXiv:1906.04540; D. Soudry, E. Hoffer, M. S. Nacson, S. Gunasekar and
// N. Srebro (2018), The Implicit Bias of Gradient Descent on Separable Data, JMLR 19(70), 1-57.
//
//   R(w) = 1/n sum_e exp(-a_e'w),    -R'(w) = R(w) A'q,   q_e ~ exp(-a_e'w)
//
//   normalised   w <- w + A'q         margins close like 1/t
//   plain        w <- w + R(w) A'q    margins close like 1/log(t)
//
// The upper end is that of the mean of the q; for the normalised steps it is |w_t| / t.
#include <cmath>

#include "hard/solvers.h"

namespace dualmargin::hard {

Solution gradient_descent(const HardMargin& problem, bool normalised, Run& run) {
  const MarginRows& rows = problem.rows;
  const Index n = problem.n();
  Vec w = Vec::Zero(rows.dim()), c = Vec::Zero(n);  // w = A'c
  Vec p = c, q = Vec::Constant(n, 1.0 / static_cast<double>(n)), sum = c, s;
  double risk = 1;
  Best best(run.iterate());
  const auto estimate = [&] { return problem.offer(best, {w, c, sum}, run, p); };
  const auto exact = [&] { return problem.certify(best, run); };
  run.be_patient(HUGE_VAL);  // slow, but never stuck
  while (run.proceed(estimate, exact, 1)) {
    run.spend(static_cast<double>(count_nonzero(q)) * rows.row_price() + rows.multiply_price());
    const double theta = normalised ? 1.0 : risk;
    rows.combine(q, s, run);
    w += theta * s;
    c += theta * q;
    sum += q;
    rows.multiply(w, p, run);
    soft_minimum(p, q);
    const double low = p.minCoeff();
    risk = std::exp(-low) * p.unaryExpr([low](double v) { return std::exp(low - v); }).mean();
    run.count_step();
  }
  return best.solution(normalised ? "ngd" : "gd");
}

}  // namespace dualmargin::hard
