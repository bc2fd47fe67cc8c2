// A dual point with the scores that belong to it, kept in step: what the methods of this family
// that move one row or one block of rows at a time share.
//
//   a   dual variables, that of row i and function c at i + n c
//   f   f_c(x_i) of the function of a; a penalised intercept is part of it
//   b   free intercept, of each function. Under a proximal term strength/2 (b - b_c)^2 it behaves
//       like the constant lambda / strength in the kernel, and moving b_c to b now and then is the
//       method of multipliers for the constraint sum omega_i a_i = 0.
#pragma once

#include "base/function_ref.h"
#include "kernel/kernel_problem.h"
#include "run/sampler.h"

namespace dualmargin::kernel {

// Compiled for both problems.
template <class Problem>
class DualState {
 public:
  using Array = typename Problem::Array;
  using Solution = typename Problem::Solution;

  DualState(const Problem& problem, const Solution& start, Tick& tick);

  double score(Index at) const { return f_[at] + b_[b_.size() == 1 ? 0 : at / problem_.n()]; }
  // q of the coordinate's exact step: omega_i (K_ii + constant) / (W lambda)
  double q(Index i) const { return q_[i]; }
  // What every entry of the kernel is short of: the constants of the intercept.
  double constant() const { return problem_.x().constant() + constant_; }

  // What the subspace step asks for: omega / W, and phi* around an entry of a.
  const Vec& shares() const { return shares_; }
  double null_value() const { return problem_.null_value(); }
  DualPiece piece(Index at) const { return problem_.losses.dual_piece(at, a_[at]); }
  double conjugate(Index at, double t) const { return problem_.losses.conjugate(at, t); }

  // Scores and dual variables of some rows.
  void load(const Index* rows, Index count, Array& z, Array& a) const;
  // They take new values; returns how many rows changed.
  Index move(const KernelBlock& block, const Index* rows, const Array& a);
  // Of one function: a_i becomes t.
  void move(Index i, double t);
  // Along a direction whose scores are known.
  void move(double step, const Vec& da, const Vec& df, const Vec& db);

  void recentre_intercept();

  const Problem& problem() const { return problem_; }
  const Vec& a() const { return a_; }
  const Vec& f() const { return f_; }
  const Vec& b() const { return b_; }

  // The loop condition of what works on it. A certificate that was taken leaves its point behind,
  // balanced and exact; the method goes on from there if it has to.
  bool proceed(Run& run);

  Solution solution(const char* solver) const;

 private:
  const Problem& problem_;
  bool free_;
  Vec a_, f_, b_, centre_;
  double constant_ = 0;
  Vec q_, shares_;
};

using KernelState = DualState<KernelProblem>;

// The loop of sdca.cpp and of the methods of the mixup paper: a_i <- step(state, i).
Solution coordinate_ascent(const char* solver, const KernelProblem& problem, bool permute,
                           const Solution& start, Sampler& sampler, Run& run,
                           FunctionRef<double(const KernelState&, Index)> step);

}  // namespace dualmargin::kernel
