// MixupSDCA, approximation: vanilla dual ascent with a bound below F, read off a grid of scores.
// G. Obi, A. Saito, Y. Sasaki, T. Kato (2025), Linearly Convergent Mixup Learning,
// arXiv:2501.07794, Algorithms 2 and 3.
//
//   max_a  D(a),   D as in kernel_problem.h; the paper's alpha is -a
//
//   a, f    dual point and its scores, see dual_state.h
//   z, u    score of the row and the slope there
//   zeta    a score whose slope a~ lies between phi'(0) and a, so that phi*(a~) <= phi*(a)
//   b       ends of L_i = {zeta: phi(zeta; y_i) <= level}, the range of the grid of row i
//
// Expected epochs for a primal error eps: log(h_D / (beta eps)) / (n beta) with 1/beta = n + R^2 /
// (lambda gamma), R^2 = max K_ii (Theorem 1).
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/dual_state.h"
#include "kernel/mixup_step.h"
#include "kernel/solvers.h"

namespace dualmargin::kernel {

namespace {

// phi(.; y), |y| < 1, is convex and rises without bound on both sides; phi(0; y) < level.
double end(const Loss& loss, double y, int side, double level) {
  double inside = 0, outside = 1;
  while (loss.value(side * outside, y) <= level) {
    inside = outside;
    outside *= 2;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (inside + outside);
    (loss.value(side * middle, y) <= level ? inside : outside) = middle;
  }
  return inside;
}

// No better than the null model by more than its value, a row has phi <= (W / omega_i) phi_0(0):
// the level of (16). Below twice phi_0(0) (one row, or one that outweighs the others) the grid
// would be empty.
double grid_level(double weight, double total_weight, double null_value) {
  return (weight > 0 ? std::max(2.0, total_weight / weight) : 2.0) * null_value;
}

}  // namespace

ScoreGrid::ScoreGrid(const Loss& loss, double y, double level, Index n) : y_(y), n_(n) {
  for (const int side : {-1, 1}) span_[side > 0] = 4 + std::log(end(loss, y, side, level));
}

// differs: (17) and (19) are printed with min and max swapped, which takes the score of the grid
// that is farthest from what is sought. The admissible ones are those nearest to 0, so bisection
// finds their last in log n evaluations; where there is none the paper leaves zeta undefined.
double ScoreGrid::nearest(const Loss& loss, double a) const {
  const int side = a < loss.slope(0, y_) ? -1 : 1;
  Index admissible = -1, beyond = n_ + 1;
  while (beyond - admissible > 1) {
    const Index k = admissible + (beyond - admissible) / 2;
    (side * (loss.slope(at(side, k), y_) - a) <= 0 ? admissible : beyond) = k;
  }
  return admissible < 0 ? 0 : at(side, admissible);
}

double ScoreGrid::at(int side, Index k) const {
  return side * std::exp(static_cast<double>(k) / n_ * span_[side > 0] - 4);
}

double conjugate_from_below(const Loss& loss, const ScoreGrid& grid, double a, double y) {
  const double zeta = grid.nearest(loss, a);
  return loss.slope(zeta, y) * zeta - loss.value(zeta, y);
}

Solution mixup_approx(const KernelProblem& problem, bool permute, const Solution& start,
                      Sampler& sampler, Run& run) {
  const RowLosses& losses = problem.losses;
  const Loss& phi = losses.loss;
  std::vector<ScoreGrid> grid;  // of the rows between the classes
  std::vector<Index> place(problem.n(), -1);
  for (Index i = 0; i < problem.n(); ++i) {
    if (std::abs(losses.y[i]) >= 1) continue;
    place[i] = static_cast<Index>(grid.size());
    const double level = grid_level(losses.omega[i], losses.total_weight, phi.value(0, 1));
    grid.emplace_back(phi, losses.y[i], level, problem.n());
  }
  const auto step = [&](const KernelState& state, Index i) {  // (14), (21)
    const double y = losses.y[i], a = state.a()[i];
    return mixup_step(phi, state.score(i), y, a, state.q(i), 1, [&] {
      return place[i] < 0 ? phi.conjugate(a, y) : conjugate_from_below(phi, grid[place[i]], a, y);
    });
  };
  return coordinate_ascent("mixup_approx", problem, permute, start, sampler, run, step);
}

}  // namespace dualmargin::kernel
