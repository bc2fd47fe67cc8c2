// Block dual coordinate ascent for the softmax problem, block_sdca.h with k dual variables a row.
// S. Shalev-Shwartz and T. Zhang (2014), Accelerated proximal stochastic dual coordinate ascent,
// Mathematical Programming 155 (2016), 105-145, doi:10.1007/s10107-014-0839-0, section 5, for dual
// coordinate ascent in several classes.
//
//   max_u  D(u - t),   D as in softmax_problem.h
//
// The coordinate step of a row is the exact maximiser in all its k variables, softmax.h, where the
// paper takes a step of fixed length towards the probabilities. After an epoch D is maximised over
// the span of the last moves; the entropy keeps that inside the simplex, see subspace_step.h.
//
//   Z, U   scores and new dual values of the rows of a block, a column each
#pragma once

#include "kernel/block_sdca.h"
#include "kernel/softmax_state.h"
#include "run/visits.h"

namespace dualmargin::kernel {

inline SoftmaxSolution softmax_sdca(const SoftmaxProblem& problem, const BlockSdcaOptions& options,
                                    const SoftmaxSolution& start, Sampler& sampler, Run& run) {
  SoftmaxState state(problem, start, run);
  SubspaceStep subspace(static_cast<std::size_t>(options.memory));
  Visits visits(problem.n(), Order::permutation, sampler, run);
  SoftmaxStep exact_step(problem.classes());
  const Index n = problem.n();
  Mat K, Z, U;
  Vec before;
  run.be_patient(0.5);  // the dual value rises in every epoch, the gap need not fall

  while (state.proceed(run)) {
    subspace.begin(state);
    visits.batches(options.block, [&](const Index* rows, Index count) {
      const auto block = problem.x().kernel().block(rows, count);
      block->square(K);
      K.array() += problem.x().constant();
      state.load(rows, count, Z, U);
      bool moves = true;
      for (int pass = 0; pass < options.inner_passes && moves; ++pass) {
        moves = false;
        for (Index j = 0; j < count; ++j) {
          before = U.col(j);
          exact_step(Z.col(j).data(), state.q(rows[j]), U.col(j).data());
          if (U.col(j) == before) continue;
          moves = true;
          const double beta = problem.space.unit(rows[j]);
          if (beta != 0) Z.noalias() += beta * (U.col(j) - before) * K.col(j).transpose();
        }
      }
      const Index moved = state.move(*block, rows, U);
      run.spend((moved + static_cast<double>(count) * count / n) / n);
    });
    subspace.end(state);
    subspace.take(state);
  }
  return state.solution("block_sdca");
}

}  // namespace dualmargin::kernel
