// Block stochastic dual coordinate ascent with a subspace step, the default of the kernel family.
// S. Shalev-Shwartz and T. Zhang (2013), Journal of Machine Learning Research 14, 567-599, for the
// coordinate step; in several classes (2014), Accelerated proximal stochastic dual coordinate
// ascent, Mathematical Programming 155 (2016), 105-145, doi:10.1007/s10107-014-0839-0, section 5.
//
//   max_a  D(a),   D as in kernel_problem.h
//
// An epoch visits the rows in a fresh random order, a block of `block` at a time. Inside a block
// `inner_passes` rounds of exact coordinate steps see only the block's own square of the kernel;
// the scores of all rows are brought up to date once for the whole block, so that a row of the
// kernel is read once an epoch and serves all rounds. After the epoch D is maximised over the span
// of the last `memory` epochs' moves, subspace_step.h.
//
// The coordinate step of a softmax problem is the exact maximiser in all k variables of a row,
// softmax.h, where the paper takes a step of fixed length towards the probabilities. The entropy
// keeps the subspace step inside the simplex.
//
//   a, f, b   dual point, its scores and the free intercept, see dual_state.h
//   Z, A      scores and new dual values of the rows of a block, a column for each function
#include "kernel/dual_state.h"
#include "kernel/solvers.h"
#include "kernel/subspace_step.h"
#include "run/visits.h"

namespace dualmargin::kernel {

template <class Problem>
typename Problem::Solution block_sdca(const Problem& problem, const BlockSdcaOptions& options,
                                      const typename Problem::Solution& start, Sampler& sampler,
                                      Run& run) {
  using Array = typename Problem::Array;
  using Row = Eigen::Matrix<double, 1, Array::ColsAtCompileTime>;
  DualState<Problem> state(problem, start, run);
  SubspaceStep<DualState<Problem>> subspace(static_cast<std::size_t>(options.memory));
  Visits visits(problem.n(), Order::permutation, sampler, run);
  const Index n = problem.n();
  Mat K;
  Array Z, A;
  run.be_patient(0.5);  // the dual value rises in every epoch, the gap need not fall

  while (state.proceed(run)) {
    subspace.begin(state);
    visits.batches(options.block, [&](const Index* rows, Index count) {
      const auto block = problem.x().kernel().block(rows, count);
      block->square(K);
      K.array() += state.constant();
      state.load(rows, count, Z, A);
      bool moves = true;
      for (int pass = 0; pass < options.inner_passes && moves; ++pass) {
        moves = false;
        for (Index j = 0; j < count; ++j) {
          const Index i = rows[j];
          const Row z = Z.row(j), a = A.row(j);
          const Row next = problem.losses.dual_step(i, z, a, state.q(i));
          if (next == a) continue;
          moves = true;
          A.row(j) = next;
          const Row change = problem.space.unit(i) * (next - a);
          for (Index c = 0; c < change.size(); ++c) {
            if (change[c] != 0) Z.col(c) += change[c] * K.col(j);
          }
        }
      }
      const Index moved = state.move(*block, rows, A);
      run.spend((moved + static_cast<double>(count) * count / n) / n);
    });
    subspace.end(state);
    subspace.take(state);
    if (problem.losses.free_intercept) state.recentre_intercept();
  }
  return state.solution("block_sdca");
}

template Solution block_sdca(const KernelProblem&, const BlockSdcaOptions&, const Solution&,
                             Sampler&, Run&);
template SoftmaxSolution block_sdca(const SoftmaxProblem&, const BlockSdcaOptions&,
                                    const SoftmaxSolution&, Sampler&, Run&);

}  // namespace dualmargin::kernel
