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

#include <algorithm>

#include "algebra/function_space.h"
#include "kernel/intercepts.h"
#include "kernel/softmax_losses.h"
#include "loss/row_losses.h"
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
  std::array<double, 2> along(const Vec& z, const Vec& dz) const {
    Slopes at;
    dual_steps(z, 0, rest(), 0, at);
    return mean_over([&](Index i) {
      const double weighted = omega[i] * dz[i];
      return std::array<double, 2>{weighted * at.slope[i], weighted * at.curvature[i] * dz[i]};
    });
  }
  Vec slopes(const Vec& z) const { return RowLosses::slopes(z).local(); }
  // What is missing from \sum \omega_i a_i = 0 times b, which is part of the gap.
  double unbalanced(const FenchelSums& sums, double b, double) const {
    if (b == 0) return 0;
    return std::abs(b) * (std::abs(sums.slopes) + rounding::of_value() * sums.slope_size);
  }
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
  Array dual_or_rest(const Array& a) const {
    Array rest = losses.rest();
    return a.size() == rest.size() ? a : rest;
  }
  Array coefficients(const Dual& dual) const { return space.coefficients(dual.a - losses.rest()); }

  // From the definitions, at exact kernel values: a is balanced, the scores and for f_a also b are
  // made anew. No numbers where the kernel has shown itself not to be semidefinite.
  Certificate certify(Primal& primal, Dual& dual, Tick& tick) const {
    losses.balance(dual.a);
    const Array own = coefficients(dual);
    const Array& beta = primal.beta.size() > 0 ? primal.beta : own;
    primal.f = space.exact_scores(beta, tick);
    if (!space.squares(beta, primal.f)) return Certificate(std::nan(""), std::nan(""));
    return certificate_of(primal, dual, own, space.exact(), tick);
  }
  Certificate certify(Solution& s, Tick& tick) const { return certify(s, s, tick); }
  // See run/nothing.h. A function that loses its dual point keeps its coefficients.
  Solution with_nothing(Solution s, bool primal, bool dual) const {
    const Array rest = losses.rest();
    if (primal) {
      s.f = s.beta = Array::Zero(rest.rows(), rest.cols());
      s.b = losses.best_intercept(s.f, {});
    } else if (s.beta.size() == 0) {
      s.beta = coefficients(s);
    }
    if (dual) s.a = rest;
    return s;
  }
  // By the scores that a method carries along.
  Certificate estimate(Primal& primal, Dual& dual, Tick& tick) const {
    losses.balance(dual.a);
    return certificate_of(primal, dual, coefficients(dual), x(), tick);
  }

 private:
  Certificate certificate_of(Primal& primal, const Dual& dual, const Array& own, const Gram& kernel,
                             Tick& tick) const {
    const bool apart = primal.beta.size() > 0;
    if (!apart) primal.b = losses.best_intercept(primal.f, primal.b);
    const FenchelSums sums = losses.fenchel(raised(primal.f, primal.b), dual.a, 1);
    const double value = sums.value + space.value(apart ? primal.beta : own, primal.f);
    double gap = sums.gap, rounding = space.rounding(own);
    if (apart) {
      gap += space.gap(kernel, primal.beta - own, tick);
      rounding = space.rounding(primal.beta.cwiseAbs() + own.cwiseAbs());
    }
    // of the terms of the sums, and of \sum \omega_i a_i = 0
    rounding += Certificate::rounding_of(value) + rounding::of_term() * sums.size;
    rounding += losses.unbalanced(sums, primal.b, space.mean_square() / space.lambda());
    const Certificate c(value, gap, rounding);
    if (seen != nullptr) seen->offer(primal.b, dual, c);
    return c;
  }
};

using KernelProblem = ProblemOf<ScalarLosses>;
using SoftmaxProblem = ProblemOf<SoftmaxLosses>;
using Solution = KernelProblem::Solution;
using SoftmaxSolution = SoftmaxProblem::Solution;

// The nearest dual variable of row i in the domain of phi*, whose ends are the slopes far out.
inline double feasible(const RowLosses& losses, Index i, double t) {
  constexpr double far = 1e300;
  const auto end = [&](double z) { return losses.loss.slope(z, losses.y[i]); };
  return std::clamp(t, end(-far), end(far));
}

}  // namespace dualmargin::kernel
