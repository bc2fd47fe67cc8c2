// Regularised risk in the space H of a kernel k, with soft labels, the problem of the kernel
// family:
//
//   P(f, b) = \frac\lambda2 |f|_H^2 + \frac1W \sum_i \omega_i \phi(f(x_i) + b; y_i)
//   D(a)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - \frac\lambda2 |f_a|_H^2
//
// with f_a = \sum_i \beta_i k(x_i, \cdot), \beta_i = -\omega_i a_i / (W \lambda), function_space.h.
// At f = f_a the gap P - D is the sum of the losses' parts alone,
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i z_i],   z_i = f(x_i) + b,
//
// each non-negative; with a free intercept b it needs \sum_i \omega_i a_i = 0. A penalised
// intercept is the constant of k + 1. Any other f adds \frac\lambda2 |f - f_a|_H^2.
//
// Losses: ScalarLosses, or SoftmaxLosses with a function for each class.
#pragma once

#include <array>

#include "algebra/function_space.h"
#include "kernel/softmax_losses.h"
#include "loss/row_losses.h"
#include "run/outcome.h"
#include "run/run.h"
#include "run/snapshot.h"

namespace dualmargin::kernel {

// The losses of one function, and what the methods ask of one row.
struct ScalarLosses : RowLosses {
  using Array = Vec;
  using RowLosses::RowLosses;

  DualPiece dual_piece(Index i, double t) const { return loss.dual_piece(t, y[i]); }
  double conjugate(Index i, double t) const { return loss.conjugate(t, y[i]); }
  template <class Row>  // of one number
  Row dual_step(Index i, const Row& z, const Row& a, double q) const {
    return Row(loss.dual_step(z[0], y[i], a[0], q));
  }
  // The dual variables that pull at nothing.
  Vec rest() const { return Vec::Zero(n()); }
  // The change of the mean loss in the direction dz, and the change of that.
  std::array<double, 2> along(const Vec& z, const Vec& dz) const;
  Vec slopes(const Vec& z) const;
  // What is missing from \sum \omega_i a_i = 0 times b, which is part of the gap.
  double unbalanced(const FenchelSums& sums, double b, double) const;
};

// f: scores of the function without the free intercept b. beta: its coefficients; empty where they
// are those of the dual point. An Array has a column for each function.
template <class Array>
struct PrimalOf {
  Array f, beta;
  Intercept<Array> b = {};
};
// a_i = phi'(z_i)
template <class Array>
struct DualOf {
  Array a;
};
template <class Array>
struct SolutionOf : PrimalOf<Array>, DualOf<Array> {
  const char* solver = "";
};

// Compiled for both.
template <class L>
struct ProblemOf {
  using Losses = L;
  using Array = typename Losses::Array;
  using Primal = PrimalOf<Array>;
  using Dual = DualOf<Array>;
  using Solution = SolutionOf<Array>;
  // the intercept, and the dual point whose function it is
  using Seen = Snapshot<Intercept<Array>, Dual>;

  FunctionSpace space;
  Losses losses;
  Seen* seen = nullptr;  // is told of every pair that is certified or estimated

  ProblemOf(const FunctionSpace& space_, const Losses& losses_) : space(space_), losses(losses_) {}
  ProblemOf(const ProblemOf&) = delete;

  Index n() const { return losses.n(); }
  const Gram& x() const { return space.working(); }
  double null_value() const { return losses.null_value(); }

  // A given dual point, or the one that pulls at nothing.
  Array dual_or_rest(const Array& a) const;
  Array coefficients(const Dual& dual) const;

  // From the definitions, at exact kernel values: a is balanced, the scores and for f_a also b are
  // made anew. No numbers where the kernel has shown itself not to be semidefinite.
  Certificate certify(Primal& primal, Dual& dual, Tick& tick) const;
  Certificate certify(Solution& s, Tick& tick) const { return certify(s, s, tick); }
  // See run/outcome.h. A function that loses its dual point keeps its coefficients.
  Solution with_nothing(Solution s, bool primal, bool dual) const;
  // By the scores that a method carries along, those of its dual point before that is balanced.
  Certificate estimate(Primal& primal, Dual& dual, Tick& tick) const;

 private:
  // own, beta: coefficients of the dual point and of the function; apart: what the gap has of their
  // distance.
  Certificate certificate_of(Primal& primal, const Dual& dual, const Array& own, const Array& beta,
                             double apart) const;
};

using KernelProblem = ProblemOf<ScalarLosses>;
using SoftmaxProblem = ProblemOf<SoftmaxLosses>;
using Solution = KernelProblem::Solution;
using SoftmaxSolution = SoftmaxProblem::Solution;

// The nearest dual variable of row i in the domain of phi*, whose ends are the slopes far out.
double feasible(const RowLosses& losses, Index i, double t);

// What leaves the kernel family: the returned point with its certificate recomputed from exact
// kernel values, and how the run ended.
struct KernelReport : Outcome {
  NegativeSquare negative;
  Solution solution;
  Vec beta;
  double intercept = 0;
  double near = 0;   // the intercept of rows that were moved, as intercept is that of the user's
  double level = 0;  // what was taken from the response before the fit
};

struct SoftmaxReport : Outcome {
  NegativeSquare negative;
  SoftmaxSolution solution;
  Mat dual, beta;
  Vec intercept, near;  // as in KernelReport
};

KernelReport report(const KernelProblem& problem, Solution s, Run& run);
SoftmaxReport report(const SoftmaxProblem& problem, SoftmaxSolution s, Run& run);

}  // namespace dualmargin::kernel
