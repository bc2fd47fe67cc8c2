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
// certificate counts only after they were computed again, from exact kernel values. Of these scores
// f = K \beta + e the errors e are part of the gap: with them P - gap is D(a) up to
// \frac\lambda2 \beta^\top e, and P is off by about \lambda |\beta|^\top |e|.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/expansion.h"
#include "kernel/kernel_size.h"
#include "linear/erm.h"
#include "loss/any_loss.h"

namespace dualmargin::kernel {

using namespace linear;  // until the two problems share Rows and not one another

// w: scores. beta: coefficients of a function that is not f_a of the dual point; empty where it is.
struct KernelSolution : Solution {
  Vec beta;

  KernelSolution() = default;
  KernelSolution(Solution s) : Solution(std::move(s)) {}
};

struct KernelErm : ErmWithLoss<Gram, AnyLoss> {
  const KernelMatrix& exact;

  KernelErm(const Gram& working, const KernelMatrix& exact_, const KernelSize& size, const Vec& y_,
            const Vec& weights_, const AnyLoss& loss_, const RowLoss& row_loss_, double lambda,
            bool free)
      : ErmWithLoss(Erm<Gram>(working, y_, weights_, row_loss_, {0, lambda}, free), loss_),
        exact(exact_),
        rounding_(size, working.constant(), exact_.additions()) {}

  // Those of weights, where w is none.
  template <class... T>
  Certificate certify(T&&...) const = delete;
  template <class... T>
  Certificate certify_at(T&&...) const = delete;
  template <class... T>
  Certificate certify_slopes(T&&...) const = delete;
  template <class... T>
  Certificate certify_at_best_intercept(T&&...) const = delete;
  template <class... T>
  Certificate estimate_at_slopes(T&&...) const = delete;

  double lambda() const { return penalty.l2; }
  // P at f = 0 and, where it is free, the best b: at b = 0 a response far from 0 would make it
  // large.
  double null_value() const {
    const Vec zero = Vec::Zero(n());
    const Vec z = Vec::Constant(n(), best_intercept(zero, 0));
    return row_loss.value(weights, z, y) / total_weight;
  }
  // The change of beta_i when a_i changes by one.
  double beta_of(Index i) const { return -weights[i] / (total_weight * lambda()); }
  Vec coefficients(const Vec& a) const {
    return weights.cwiseProduct(a) / -(total_weight * lambda());
  }

  // K beta, without a free intercept.
  Vec scores(const Vec& beta, const KernelMatrix& kernel, Run& run) const {
    return expansion(kernel, x.constant(), beta, run);
  }

  // Scores f of f_a that are known.
  Certificate certificate_at(const Vec& a, const Vec& f, double b) const {
    const Vec z = (f.array() + b).matrix(), beta = coefficients(a);
    const double value =
        row_loss.value(weights, z, y) / total_weight + 0.5 * lambda() * beta.dot(f);
    const LossSums sums(*this, z, a);
    return Certificate(value, sums.gap / total_weight, rounding_of(sums, value, beta, b));
  }

  // From the definitions, at exact kernel values: a is balanced where the intercept is free, f and
  // b are made for it.
  Certificate certify_exactly(Vec& a, Vec& f, double& b, Run& run) const {
    if (free_intercept) balance(row_loss, weights, a);
    f = exact_scores(a, run);
    b = best_intercept(f, b);
    return certificate_at(a, f, b);
  }

  // What a method that carries f along asks for: an estimate, and the certificate itself once the
  // estimate is within the tolerance. a and f become those of the certificate.
  Certificate certify_carried(Vec& a, Vec& f, double& b, Run& run) const {
    const Certificate c = estimate(a, f, b);
    return run.within_tolerance(c) ? certify_exactly(a, f, b, run) : c;
  }

  // The nearest dual variable of row i in the domain of phi*, whose ends are the slopes far out.
  double feasible(Index i, double t) const {
    constexpr double far = 1e300;
    return std::clamp(t, loss.slope(-far, y[i]), loss.slope(far, y[i]));
  }

  // Any f = sum_i beta_i k(x_i, .) with known scores and any feasible a; no free intercept.
  Certificate certify_pair(const KernelSolution& s, const KernelMatrix& kernel, Run& run) const {
    const Vec own = coefficients(s.a), rest = s.beta - own;
    const double value =
        row_loss.value(weights, s.w, y) / total_weight + 0.5 * lambda() * s.beta.dot(s.w);
    const LossSums sums(*this, s.w, s.a);
    const double apart = 0.5 * lambda() * rest.dot(scores(rest, kernel, run));
    const Vec both = s.beta.cwiseAbs() + own.cwiseAbs();
    return Certificate(value, sums.gap / total_weight + apart, rounding_of(sums, value, both, 0));
  }
  Certificate certify_exactly(KernelSolution& s, Run& run) const {
    if (s.beta.size() == 0) return certify_exactly(s.a, s.w, s.b, run);
    s.w = scores(s.beta, exact, run);
    return certify_pair(s, exact, run);
  }
  // As above: an estimate first.
  Certificate certify_carried(KernelSolution& s, Run& run) const {
    const Certificate c = certify_pair(s, x.kernel(), run);
    return run.within_tolerance(c) ? certify_exactly(s, run) : c;
  }

  // For methods of the linear family, which ask for a dual point's certificate.
  Certificate certify_dual(Solution& s, Run& run) const {
    s.w = scores(coefficients(s.a), x.kernel(), run);
    return certify_carried(s.a, s.w, s.b, run);
  }

 private:
  // The losses' parts of the gap, without 1/W, and how large what is summed is.
  struct LossSums {
    double gap = 0, size = 0, slopes = 0, slope_size = 0;

    LossSums(const KernelErm& p, const Vec& z, const Vec& a) {
      Sum all_gap, all_slopes;
      for (Index i = 0; i < z.size(); ++i) {
        if (!(p.weights[i] > 0)) continue;
        const double phi = p.loss.value(z[i], p.y[i]), conjugate = p.loss.conjugate(a[i], p.y[i]);
        all_gap.add(p.weights[i] * (phi + conjugate - a[i] * z[i]));
        all_slopes.add(p.weights[i] * a[i]);
        size += p.weights[i] * (phi + std::abs(conjugate) + std::abs(a[i] * z[i]));
        slope_size += p.weights[i] * std::abs(a[i]);
      }
      gap = all_gap.value();
      slopes = all_slopes.value();
    }
  };

  // The scores, the terms of the sums, and what is missing from \sum \omega_i a_i = 0.
  double rounding_of(const LossSums& sums, double value, const Vec& beta, double b) const {
    constexpr double eps = KernelSize::rounding;
    const double terms = sums.size / total_weight,
                 drift = std::abs(sums.slopes) + 16 * eps * sums.slope_size;
    return Certificate::rounding_of(value) + 4 * eps * terms + lambda() * rounding_.of(beta) +
           (free_intercept ? std::abs(b) * drift / total_weight : 0.0);
  }

  // Those of the last point asked for are kept: a method certifies the point it returns, and its
  // report asks once more.
  const Vec& exact_scores(const Vec& a, Run& run) const {
    if (known_a_.size() != a.size() || known_a_ != a) {
      known_f_ = scores(coefficients(a), exact, run);
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

  ScoreRounding rounding_;
  mutable Vec known_a_, known_f_;
};

}  // namespace dualmargin::kernel
