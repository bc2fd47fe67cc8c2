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
#pragma once

#include <algorithm>
#include <utility>

#include "loss/row_losses.h"
#include "run/run.h"
#include "space/function_space.h"

namespace dualmargin::kernel {

// f: scores of the function without the free intercept b. beta: its coefficients; empty where they
// are those of the dual point.
struct Primal {
  Vec f, beta;
  double b = 0;
};
// a_i = phi'(z_i)
struct Dual {
  Vec a;
};
struct Solution : Primal, Dual {
  const char* solver = "";
};

struct KernelProblem {
  using Dual = kernel::Dual;

  FunctionSpace space;
  RowLosses losses;
  const AnyLoss& loss = losses.loss;
  const Vec &y = losses.y, &weights = losses.omega;
  const double total_weight = losses.total_weight;
  const bool free_intercept = losses.free_intercept;

  KernelProblem(const FunctionSpace& space_, const RowLosses& losses_)
      : space(space_), losses(losses_) {}
  KernelProblem(const KernelProblem&) = delete;

  Index n() const { return y.size(); }
  const Gram& x() const { return space.working(); }
  Vec zero() const { return Vec::Zero(n()); }
  double null_value() const { return losses.null_value(); }
  double gamma() const { return losses.gamma(); }

  // The nearest dual variable of row i in the domain of phi*, whose ends are the slopes far out.
  double feasible(Index i, double t) const {
    constexpr double far = 1e300;
    return std::clamp(t, loss.slope(-far, y[i]), loss.slope(far, y[i]));
  }
  Vec coefficients(const Dual& dual) const { return space.coefficients(dual.a); }

  // From the definitions, at exact kernel values: a is balanced where the intercept is free, the
  // scores and for f_a also b are made anew.
  Certificate certify(Primal& primal, Dual& dual, Tick& tick) const {
    losses.balance(dual.a);
    const Vec own = coefficients(dual);
    primal.f = space.exact_scores(primal.beta.size() > 0 ? primal.beta : own, tick);
    return pair(primal, dual, own, space.exact(), tick);
  }
  // By the scores that a method carries along.
  Certificate estimate(Primal& primal, Dual& dual, Tick& tick) const {
    losses.balance(dual.a);
    return pair(primal, dual, coefficients(dual), x(), tick);
  }

 private:
  Certificate pair(Primal& primal, const Dual& dual, const Vec& own, const Gram& kernel,
                   Tick& tick) const {
    const bool apart = primal.beta.size() > 0;
    if (!apart) primal.b = losses.best_intercept(primal.f, primal.b);
    const Vec z = (primal.f.array() + primal.b).matrix();
    const FenchelSums sums = losses.fenchel(z, dual.a, 1);
    const double value = sums.value + space.value(apart ? primal.beta : own, primal.f);
    double gap = sums.gap, rounding = space.rounding(own);
    if (apart) {
      gap += space.gap(kernel, primal.beta - own, tick);
      rounding = space.rounding(primal.beta.cwiseAbs() + own.cwiseAbs());
    }
    return Certificate(value, gap, rounding + rounding_of(sums, value, primal.b));
  }

  // Of the terms of the sums, and what is missing from \sum \omega_i a_i = 0.
  double rounding_of(const FenchelSums& sums, double value, double b) const {
    constexpr double eps = KernelSize::rounding;
    const double drift = std::abs(sums.slopes) + 16 * eps * sums.slope_size;
    return Certificate::rounding_of(value) + 4 * eps * sums.size +
           (free_intercept ? std::abs(b) * drift : 0.0);
  }
};

}  // namespace dualmargin::kernel
