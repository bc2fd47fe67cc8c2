// MixupSDCA, naive: vanilla dual ascent, with the conjugate of the mixup loss found by a search.
// G. Obi, A. Saito, Y. Sasaki, T. Kato (2025), Linearly Convergent Mixup Learning,
// arXiv:2501.07794, Algorithm 1. The search is what the paper sets out to avoid; soft.h needs none.
//
//   max_a  D(a),   D as in kernel_problem.h; the paper's alpha is -a
//
//   a, f   dual point and its scores, see dual_state.h
//   z, u   score of the row and the slope there
//
// Expected epochs for a primal error eps: log(h_D / (beta eps)) / (n beta) with 1/beta = n + R^2 /
// (lambda gamma), R^2 = max K_ii (Theorem 1, whose proof serves the exact F as well).
#include <algorithm>

#include "base/roots.h"
#include "kernel/dual_state.h"
#include "kernel/mixup_step.h"
#include "kernel/solvers.h"

namespace dualmargin::kernel {

// phi*(a; y) = min_v  p phi_0*(v / p) + q phi_0*((v - a) / q),                                  (6)
//
// p = (1 + y) / 2, q = (1 - y) / 2. At the minimum v / p = phi_0'(s) and (v - a) / q = phi_0'(-s)
// for one s. phi_0' increases, so one of the two slopes is not below phi_0'(0) and the other not
// above it: that brackets v.
double conjugate_by_search(const Loss& loss, double a, double y) {
  const double p = 0.5 * (1 + y), q = 0.5 * (1 - y);
  if (p == 0 || q == 0) return loss.conjugate(a, y);  // one term, known in closed form
  constexpr double far = 1e300;
  constexpr int steps = 50;  // 0.618^50 = 4e-11 of the bracket
  const double low = loss.slope(-far, 1), high = loss.slope(far, 1), middle = loss.slope(0, 1);
  const auto convolved = [&](double v) {
    return p * loss.conjugate(std::clamp(v / p, low, high), 1) +
           q * loss.conjugate(std::clamp((v - a) / q, low, high), 1);
  };
  const double one = p * middle, other = a + q * middle;
  const double from = std::max({std::min(one, other), p * low, a + q * low});
  const double to = std::min({std::max(one, other), p * high, a + q * high});
  return convolved(golden_section([&](double v) { return -convolved(v); }, from, to, steps, 0));
}

Solution mixup_naive(const KernelProblem& problem, bool permute, const Solution& start,
                     Sampler& sampler, Run& run) {
  const Loss& phi = problem.losses.loss;
  const auto step = [&](const KernelState& state, Index i) {  // (12), (13)
    const double y = problem.losses.y[i], a = state.a()[i];
    return mixup_step(phi, state.score(i), y, a, state.q(i), 1,
                      [&] { return conjugate_by_search(phi, a, y); });
  };
  return coordinate_ascent("mixup_naive", problem, permute, start, sampler, run, step);
}

}  // namespace dualmargin::kernel
