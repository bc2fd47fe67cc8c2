// Block stochastic dual coordinate ascent with a subspace step, the default of the kernel family.
// S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599, for the
// coordinate step.
//
//   max_a  D(a),   D as in kernel_problem.h
//
// An epoch visits the rows in a fresh random order, a block of `block` at a time. Inside a block
// `inner_passes` rounds of exact coordinate steps see only the block's own square of the kernel;
// the scores of all rows are brought up to date once for the whole block, so that a row of the
// kernel is read once an epoch and serves all rounds. After the epoch D is maximised over the span
// of the last `memory` epochs' moves, subspace_step.h.
//
//   a, f, b   dual point, its scores and the free intercept, see kernel_state.h
//   z, t      scores and new dual values of the rows of a block
#pragma once

#include "kernel/kernel_state.h"
#include "kernel/subspace_step.h"

namespace dualmargin::kernel {

struct BlockSdcaOptions {
  Index block = 128;
  int inner_passes = 10;
  Index memory = 8;
};

inline Solution block_sdca(const KernelProblem& problem, const BlockSdcaOptions& options,
                           const Solution& start, Sampler& sampler, Run& run) {
  const KernelMatrix& kernel = problem.x().kernel();
  KernelState state(problem, start, run);
  SubspaceStep subspace(static_cast<std::size_t>(options.memory));
  Visits visits(problem.n(), Order::permutation, sampler, run);
  const Index n = problem.n();
  Mat K;
  run.be_patient(0.5);  // the dual value rises in every epoch, the gap need not fall

  while (state.proceed(run)) {
    subspace.begin(state);
    visits.batches(options.block, [&](const Index* rows, Index count) {
      const auto block = kernel.block(rows, count);
      block->square(K);
      K.array() += state.constant();
      Vec z(count), t(count);
      for (Index k = 0; k < count; ++k) {
        z[k] = state.score(rows[k]);
        t[k] = state.a()[rows[k]];
      }
      bool moves = true;
      for (int pass = 0; pass < options.inner_passes && moves; ++pass) {
        moves = false;
        for (Index k = 0; k < count; ++k) {
          const Index i = rows[k];
          const double next = problem.loss.dual_step(z[k], problem.y[i], t[k], state.q(i));
          const double change = problem.space.unit(i) * (next - t[k]);
          moves = moves || next != t[k];
          t[k] = next;
          if (change != 0) z += change * K.col(k);
        }
      }
      Index moved = 0;
      for (Index k = 0; k < count; ++k) moved += t[k] != state.a()[rows[k]];
      state.move(*block, rows, t);
      run.spend((moved + static_cast<double>(count) * count / n) / n);
    });
    subspace.end(state);
    subspace.take(state);
    if (problem.free_intercept) state.recentre_intercept();
  }
  return state.solution("block_sdca");
}

}  // namespace dualmargin::kernel
