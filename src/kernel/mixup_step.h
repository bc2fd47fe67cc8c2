// The step of vanilla dual ascent, which the three methods of the mixup paper share.
// G. Obi, A. Saito, Y. Sasaki, T. Kato (2025), Linearly Convergent Mixup Learning,
// arXiv:2501.07794, (10)-(13) and (21). The paper's alpha is -a.
//
// From a_i by the share eta of q = u - a_i towards the slope u = phi'(z_i) the dual objective D of
// kernel_problem.h rises by at least
//
//   J(\eta)  = \frac{\omega_i}{W} [\eta F
//              + \frac\gamma2 q^2 \eta (1 - \frac\eta{\bar s})],                            (11)
//   F       = \phi(z_i) + \phi^*(a_i) - a_i z_i,                                          (12)
//   \bar s  = \frac{\lambda W \gamma}{\omega_i K_{ii} + \lambda W \gamma},                    (12)
//
// for a loss that is 1/gamma-smooth. With equal weights this is the paper's.
#pragma once

#include <array>

#include "base/function_ref.h"
#include "base/numeric.h"
#include "loss/loss.h"

namespace dualmargin::kernel {

// From a, with the score z of the row, its label y, its q of dual_state.h and its `share` of a row:
// the vertex of J, (13). `conjugate`: phi*(a; y) or a bound below it.
double mixup_step(const Loss& phi, double z, double y, double a, double own, double share,
                  FunctionRef<double()> conjugate);

// The conjugate of the mixup loss by a search, mixup_naive.cpp.
double conjugate_by_search(const Loss& loss, double a, double y);

// The grids (18) and (20) of one row: side e^{k/n (4 + log b) - 4}, k = 0, ..., n.
class ScoreGrid {
 public:
  ScoreGrid(const Loss& loss, double y, double level, Index n);

  // Algorithm 2, lines 3 to 7; 0 is always admissible.
  double nearest(const Loss& loss, double a) const;

 private:
  double at(int side, Index k) const;

  double y_;
  Index n_;
  double span_[2];
};

// A bound below phi*(a; y) through the grid, as in (14): phi*(a~; y) at a~ = phi'(zeta; y).
double conjugate_from_below(const Loss& loss, const ScoreGrid& grid, double a, double y);

// The copies of a row: [0] is sigma = -1, [1] is sigma = +1.
using Copies = std::array<double, 2>;

// The slopes of the copies where phi(.; y) has the slope a: the best way to split a dual point.
Copies split(const Loss& phi, double a, double y);
double merge(const Copies& t, double y);

}  // namespace dualmargin::kernel
