// The dual objective maximised over the span of the last epochs' moves: Newton's method in as many
// variables as there are moves, without touching the kernel, since the scores of every move are
// known. Narkiss and Zibulevsky (2005), Sequential subspace optimization method for large-scale
// unconstrained problems, is the idea; here the moves are those of whole epochs.
//
//   H(t) = D(a + M t),   M the moves of a, F those of the scores
//   gradient   (1/W) M' omega (z - s),   s_i = phi*'(a_i)
//   Hessian  - (1/W) M' diag(omega phi*'') M + (1/W) M' omega F
//
// phi* has kinks. A row that sits at one has no slope there, so only moves since it came to rest
// are taken, and a step ends before the next kink.
//
// The State, here dual_state.h, holds a, f and b and says what phi* is around an entry of a.
#pragma once

#include <deque>
#include <vector>

#include "base/numeric.h"
#include "loss/soft.h"

namespace dualmargin::kernel {

// What an epoch changed.
struct EpochMove {
  Vec a, f, b;
};

template <class State>
class SubspaceStep {
 public:
  explicit SubspaceStep(std::size_t memory) : memory_(memory) {}

  // Before and after an epoch.
  void begin(const State& state);
  void end(const State& state);
  void take(State& state);

 private:
  static constexpr int most_steps = 8;

  // How many of the newest moves leave alone every row that now sits at a kink.
  Index usable(const std::vector<DualPiece>& piece, const Vec& share) const;

  // As much of the step as stays inside every row's piece, at most all of it.
  static double longest(const State& state, const std::vector<DualPiece>& piece, const Vec& da);

  // Is D larger there? The quadratic part is exact along the step, the rest is summed.
  static bool rises(const State& state, const Vec& da, const Vec& df, double length);

  std::size_t memory_;
  EpochMove before_;
  std::deque<EpochMove> moves_;
};

}  // namespace dualmargin::kernel
