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
// of the last `memory` epochs' moves.
//
// The coordinate step of a softmax problem is the exact maximiser in all k variables of a row,
// softmax.h, where the paper takes a step of fixed length towards the probabilities. The entropy
// keeps the subspace step inside the simplex.
//
//   a, f, b   dual point, its scores and the free intercept, see dual_state.h
//   Z, A      scores and new dual values of the rows of a block, a column for each function
#include <Eigen/Cholesky>
#include <algorithm>
#include <deque>
#include <vector>

#include "kernel/dual_state.h"
#include "kernel/solvers.h"
#include "loss/soft.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

namespace {

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

// What an epoch changed.
struct EpochMove {
  Vec a, f, b;
};

template <class State>
class SubspaceStep {
 public:
  explicit SubspaceStep(std::size_t memory) : memory_(memory) {}

  // Before and after an epoch.
  void begin(const State& state) { before_ = {state.a(), state.f(), state.b()}; }
  void end(const State& state) {
    moves_.push_back({state.a() - before_.a, state.f() - before_.f, state.b() - before_.b});
    if (moves_.size() > memory_) moves_.pop_front();
  }
  void take(State& state) {
    const Vec& share = state.shares();
    const Index n = share.size();
    std::vector<DualPiece> piece(n);
    for (Index i = 0; i < n; ++i) piece[i] = state.piece(i);
    const Index m = usable(piece, share);
    if (m < 2) return;  // along a single move the epoch was exact or nearly so
    Mat M(n, m), F(n, m), B(state.b().size(), m);
    Vec total = Vec::Zero(m);
    for (Index k = 0; k < m; ++k) {
      const EpochMove& move = moves_[moves_.size() - m + k];
      const double size = move.a.norm();
      if (!(size > 0)) return;
      M.col(k) = move.a / size;
      F.col(k) = raised_columns(move.f, move.b) / size;
      B.col(k) = move.b / size;
    }
    const Mat pull = share.asDiagonal() * M;
    const Mat kernel = -(pull.transpose() * F);  // lambda |f|_H^2 of the moves
    for (int step = 0; step < most_steps; ++step) {
      if (step > 0) {
        for (Index i = 0; i < n; ++i) piece[i] = state.piece(i);
      }
      Vec slope(n), bend(n);
      for (Index i = 0; i < n; ++i) {
        slope[i] = state.score(i) - piece[i].score;
        bend[i] = std::min(share[i] * piece[i].curvature, 1e100);
      }
      const Vec gradient = pull.transpose() * slope;
      Mat hessian = 0.5 * (kernel + kernel.transpose()) + M.transpose() * bend.asDiagonal() * M;
      constexpr double lift = 1e-10, least_gain = 1e-15;  // of equal rows, and what no value shows
      hessian.diagonal() *= 1 + lift;
      const Vec t = hessian.ldlt().solve(gradient);
      const double gain = gradient.dot(t);
      if (!(gain > least_gain * state.null_value())) break;
      const Vec da = M * t;
      const double length = longest(state, piece, da);
      if (!(length > 0) || !rises(state, da, F * t, length)) break;
      const Vec db = B * t;
      state.move(length, da, raised_columns(F * t, -db), db);
      total += length * t;
      if (length < 1) break;
    }
    if (total.isZero(0)) return;
    EpochMove& last = moves_.back();  // the subspace is then the same next time
    last.a += M * total;
    const Vec db = B * total;
    last.f += raised_columns(F * total, -db);
    last.b += db;
  }

 private:
  static constexpr int most_steps = 8;

  // How many of the newest moves leave alone every row that now sits at a kink.
  Index usable(const std::vector<DualPiece>& piece, const Vec& share) const {
    Index m = static_cast<Index>(moves_.size());
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (piece[i].low < piece[i].high || share[i] == 0) continue;
      for (Index k = 0; k < m; ++k) {
        if (moves_[moves_.size() - 1 - k].a[i] != 0) m = k;
      }
    }
    return m;
  }

  // As much of the step as stays inside every row's piece, at most all of it.
  static double longest(const State& state, const std::vector<DualPiece>& piece, const Vec& da) {
    constexpr double inside = 0.95;
    double length = 1;
    for (Index i = 0; i < da.size(); ++i) {
      if (da[i] == 0 || !(piece[i].low < piece[i].high)) continue;
      const double room = (da[i] > 0 ? piece[i].high : piece[i].low) - state.a()[i];
      length = std::min(length, inside * room / da[i]);
    }
    return length;
  }

  // Is D larger there? The quadratic part is exact along the step, the rest is summed.
  static bool rises(const State& state, const Vec& da, const Vec& df, double length) {
    const Vec& share = state.shares();
    const double change = sum_over(da.size(), [&](Index i) {
      if (share[i] == 0 || da[i] == 0) return 0.0;
      const double before = state.a()[i], move = length * da[i];
      return share[i] * (state.conjugate(i, before) - state.conjugate(i, before + move) +
                         move * (state.score(i) + 0.5 * length * df[i]));
    });
    return change > 0;
  }

  std::size_t memory_;
  EpochMove before_;
  std::deque<EpochMove> moves_;
};

}  // namespace

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
