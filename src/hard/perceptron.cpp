// The batch perceptron.
// A. Cotter, S. Shalev-Shwartz and N. Srebro (2012), The Kernelized Stochastic Batch Perceptron,
// ICML, arXiv:1204.0566; after A. B. J. Novikoff (1962), On Convergence Proofs on
// Perceptrons, Symposium on the Mathematical Theory of Automata 12, 615-622.
//
//   e = argmin_e a_e'w,   w <- w + a_e
//
// After t steps q = c / t is in the simplex, so that |w_t| / t is an upper end; with |a_e| <= 1
// it is below \bar\gamma + 1 / (\bar\gamma t), and min_e a_e'w_t >= \bar\gamma^2 t - sqrt(t) is not
// negative any more after 1 / \bar\gamma^4 steps, in practice much sooner.
// differs: steps of length 1 as Novikoff's, which need no projection onto a ball.
#include "hard/solvers.h"

namespace dualmargin::hard {

Solution perceptron(const HardMargin& problem, Run& run) {
  const MarginRows& rows = problem.rows;
  Vec c = Vec::Zero(problem.n()), p = c;  // w = A'c is made where it is asked for; p = Aw
  Index support = 0;
  Best best(run.iterate());
  const auto certify = [&] { return problem.offer(best, c, c, p, run); };
  run.be_patient(HUGE_VAL);  // slow, but never stuck
  while (run.proceed(certify, problem.certificate_price(support))) {
    Index e = 0;
    p.minCoeff(&e);
    p += rows.column(e, run);
    support += c[e] == 0;
    c[e] += 1;
    run.spend(rows.column_price());
    run.count_step();
  }
  return best.solution("perceptron");
}

}  // namespace dualmargin::hard
