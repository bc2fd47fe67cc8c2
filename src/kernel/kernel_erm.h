// Regularised risk in the space H of a kernel k, with soft labels, the problem of the kernel
// family:
//
//   P(f, b) = \frac\lambda2 |f|_H^2 + \frac1W \sum_i \omega_i \phi(f(x_i) + b; y_i)
//   D(a)    = -\frac1W \sum_i \omega_i \phi^*(a_i; y_i) - \frac\lambda2 |f_a|_H^2
//   f_a     = \sum_i \beta_i k(x_i, \cdot),   \beta_i = -\frac{\omega_i a_i}{W \lambda}
//
// With f = f_a the gap P - D is the sum of the losses' parts alone,
//
//   \frac1W \sum_i \omega_i [\phi(z_i) + \phi^*(a_i) - a_i z_i],   z_i = f_a(x_i) + b,
//
// each non-negative; with a free intercept b it needs \sum_i \omega_i a_i = 0. A penalised
// intercept is the constant of k + 1. Any other f adds \frac\lambda2 |f - f_a|_H^2 to the gap.
//
// While a method runs it carries the scores along, perhaps of a kernel in single precision. A
// certificate counts only after they were computed again, from exact kernel values.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/expansion.h"
#include "linear/erm.h"
#include "loss/any_loss.h"

namespace dualmargin {

// w: scores. beta: coefficients of a function that is not f_a of the dual point; empty where it is.
struct KernelSolution : Solution {
  Vec beta;

  KernelSolution() = default;
  KernelSolution(Solution s) : Solution(std::move(s)) {}
};

struct KernelErm : ErmWithLoss<Gram, AnyLoss> {
  const KernelMatrix& exact;

  KernelErm(const Gram& working, const KernelMatrix& exact_, const Vec& y_, const Vec& weights_,
            const AnyLoss& loss_, const RowLoss& row_loss_, double lambda, bool free)
      : ErmWithLoss(Erm<Gram>(working, y_, weights_, row_loss_, {0, lambda}, free), loss_),
        exact(exact_) {}

  double lambda() const { return penalty.l2; }
  // The change of beta_i when a_i changes by one.
  double beta_of(Index i) const { return -weights[i] / (total_weight * lambda()); }
  Vec coefficients(const Vec& a) const {
    return weights.cwiseProduct(a) / -(total_weight * lambda());
  }

  // K beta, without a free intercept.
  Vec scores(const Vec& beta, const KernelMatrix& kernel, Monitor& monitor) const {
    return expansion(kernel, x.constant(), beta, monitor);
  }

  // Scores f of f_a that are known.
  Certificate certificate_at(const Vec& a, const Vec& f, double b) const {
    const Vec z = (f.array() + b).matrix();
    const double losses = row_loss.value(weights, z, y) / total_weight;
    const double gap = row_loss.fenchel_gap(weights, z, a, 1, y) / total_weight;
    return Certificate(losses + 0.5 * lambda() * coefficients(a).dot(f), gap);
  }

  // From the definitions, at exact kernel values: a is balanced where the intercept is free, f and
  // b are made for it.
  Certificate certify_exactly(Vec& a, Vec& f, double& b, Monitor& monitor) const {
    if (free_intercept) balance(row_loss, weights, a);
    f = exact_scores(a, monitor);
    b = best_intercept(f, b);
    return certificate_at(a, f, b);
  }

  // What a method that carries f along asks for: an estimate, and the certificate itself once the
  // estimate is within the tolerance. a and f become those of the certificate.
  Certificate certify_carried(Vec& a, Vec& f, double& b, Monitor& monitor) const {
    const Certificate c = estimate(a, f, b);
    return monitor.within_tolerance(c) ? certify_exactly(a, f, b, monitor) : c;
  }

  // The nearest dual variable of row i in the domain of phi*, whose ends are the slopes far out.
  double feasible(Index i, double t) const {
    constexpr double far = 1e300;
    return std::clamp(t, loss.slope(-far, y[i]), loss.slope(far, y[i]));
  }

  // Any f = sum_i beta_i k(x_i, .) with known scores and any feasible a; no free intercept.
  Certificate certify_pair(const KernelSolution& s, const KernelMatrix& kernel,
                           Monitor& monitor) const {
    const Vec rest = s.beta - coefficients(s.a);
    const double losses = row_loss.value(weights, s.w, y) / total_weight;
    const double gap = row_loss.fenchel_gap(weights, s.w, s.a, 1, y) / total_weight +
                       0.5 * lambda() * rest.dot(scores(rest, kernel, monitor));
    return Certificate(losses + 0.5 * lambda() * s.beta.dot(s.w), gap);
  }
  Certificate certify_exactly(KernelSolution& s, Monitor& monitor) const {
    if (s.beta.size() == 0) return certify_exactly(s.a, s.w, s.b, monitor);
    s.w = scores(s.beta, exact, monitor);
    return certify_pair(s, exact, monitor);
  }
  // As above: an estimate first.
  Certificate certify_carried(KernelSolution& s, Monitor& monitor) const {
    const Certificate c = certify_pair(s, x.kernel(), monitor);
    return monitor.within_tolerance(c) ? certify_exactly(s, monitor) : c;
  }

  // For methods of the linear wing, which ask for a dual point's certificate.
  Certificate certify_dual(Solution& s, Monitor& monitor) const {
    s.w = scores(coefficients(s.a), x.kernel(), monitor);
    return certify_carried(s.a, s.w, s.b, monitor);
  }

 private:
  // Those of the last point asked for are kept: a method certifies the point it returns, and its
  // report asks once more.
  const Vec& exact_scores(const Vec& a, Monitor& monitor) const {
    if (known_a_.size() != a.size() || known_a_ != a) {
      known_f_ = scores(coefficients(a), exact, monitor);
      known_a_ = a;
    }
    return known_f_;
  }

  Certificate estimate(const Vec& a, const Vec& f, double b) const {
    if (!free_intercept) return certificate_at(a, f, b);
    Vec balanced = a;
    balance(row_loss, weights, balanced);
    return certificate_at(balanced, f, best_intercept(f, b));
  }

  mutable Vec known_a_, known_f_;
};

}  // namespace dualmargin
