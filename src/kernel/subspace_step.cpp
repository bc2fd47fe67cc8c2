#include "kernel/subspace_step.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "kernel/dual_state.h"

namespace dualmargin::kernel {

template <class State>
void SubspaceStep<State>::begin(const State& state) {
  before_ = {state.a(), state.f(), state.b()};
}

template <class State>
void SubspaceStep<State>::end(const State& state) {
  moves_.push_back({state.a() - before_.a, state.f() - before_.f, state.b() - before_.b});
  if (moves_.size() > memory_) moves_.pop_front();
}

template <class State>
void SubspaceStep<State>::take(State& state) {
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
    hessian.diagonal() *= 1 + 1e-10;
    const Vec t = hessian.ldlt().solve(gradient);
    const double gain = gradient.dot(t);
    if (!(gain > 1e-15 * state.null_value())) break;
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

template <class State>
Index SubspaceStep<State>::usable(const std::vector<DualPiece>& piece, const Vec& share) const {
  Index m = static_cast<Index>(moves_.size());
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i].low < piece[i].high || share[i] == 0) continue;
    for (Index k = 0; k < m; ++k) {
      if (moves_[moves_.size() - 1 - k].a[i] != 0) m = k;
    }
  }
  return m;
}

template <class State>
double SubspaceStep<State>::longest(const State& state, const std::vector<DualPiece>& piece,
                                    const Vec& da) {
  constexpr double inside = 0.95;
  double length = 1;
  for (Index i = 0; i < da.size(); ++i) {
    if (da[i] == 0 || !(piece[i].low < piece[i].high)) continue;
    const double room = (da[i] > 0 ? piece[i].high : piece[i].low) - state.a()[i];
    length = std::min(length, inside * room / da[i]);
  }
  return length;
}

template <class State>
bool SubspaceStep<State>::rises(const State& state, const Vec& da, const Vec& df, double length) {
  const Vec& share = state.shares();
  const double change = sum_over(da.size(), [&](Index i) {
    if (share[i] == 0 || da[i] == 0) return 0.0;
    const double before = state.a()[i], move = length * da[i];
    return share[i] * (state.conjugate(i, before) - state.conjugate(i, before + move) +
                       move * (state.score(i) + 0.5 * length * df[i]));
  });
  return change > 0;
}

template class SubspaceStep<DualState<KernelProblem>>;
template class SubspaceStep<DualState<SoftmaxProblem>>;

}  // namespace dualmargin::kernel
