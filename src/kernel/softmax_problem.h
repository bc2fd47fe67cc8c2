// Multinomial logistic regression in the space H of a kernel k, with soft labels: one function for
// each class, t_i the shares of row i in the classes,
//
//   P(f) = \frac\lambda2 \sum_c |f_c|_H^2
//          + \frac1W \sum_i \omega_i \Big[ \log \sum_c e^{z_{ic}} - \sum_c t_{ic} z_{ic} \Big]
//   D(a) = -\frac1W \sum_i \omega_i \sum_c u_{ic} \log u_{ic} - \frac\lambda2 \sum_c |f_{a,c}|_H^2
//
// with z_{ic} = f_c(x_i), u_i = a_i + t_i on the simplex and f_a as in function_space.h. At f = f_a
// the gap is the losses' part alone,
//
//   P - D = \frac1W \sum_i \omega_i \sum_c u_{ic} \log \frac{u_{ic}}{p_{ic}},
//   p_{ic} = e^{z_{ic}} / \sum_l e^{z_{il}},
//
// a mean of non-negative terms. Intercepts are penalised, the constant of k + 1. Since every a_i
// sums to zero so do the functions, and for two classes f_2 = -f_1 = g / 2: the problem of the
// binary logistic loss in g, at half the lambda.
#pragma once

#include "loss/softmax.h"
#include "run/run.h"
#include "space/function_space.h"

namespace dualmargin::kernel {

// As in kernel_problem.h, a column for each class.
struct SoftmaxPrimal {
  Mat f, beta;
};
struct SoftmaxDual {
  Mat u;
};
struct SoftmaxSolution : SoftmaxPrimal, SoftmaxDual {
  const char* solver = "";
};

struct SoftmaxProblem {
  using Dual = SoftmaxDual;

  FunctionSpace space;
  const Mat& share;  // t, n x k
  const Vec& weights;
  double total_weight;

  SoftmaxProblem(const FunctionSpace& space_, const Mat& share_, const Vec& weights_)
      : space(space_), share(share_), weights(weights_), total_weight(weights_.sum()) {}

  Index n() const { return share.rows(); }
  Index classes() const { return share.cols(); }
  const Gram& x() const { return space.working(); }
  double null_value() const { return std::log(static_cast<double>(classes())); }
  double gamma() const { return Softmax::gamma; }
  Mat coefficients(const SoftmaxDual& dual) const { return space.coefficients(dual.u - share); }

  // From the definitions, at exact kernel values, with which the scores are made anew.
  Certificate certify(SoftmaxPrimal& primal, SoftmaxDual& dual, Tick& tick) const {
    const Mat own = coefficients(dual);
    primal.f = space.exact_scores(primal.beta.size() > 0 ? primal.beta : own, tick);
    return pair(primal, dual, own, space.exact(), tick);
  }
  // By the scores that a method carries along.
  Certificate estimate(const SoftmaxPrimal& primal, const SoftmaxDual& dual, Tick& tick) const {
    return pair(primal, dual, coefficients(dual), x(), tick);
  }

 private:
  Certificate pair(const SoftmaxPrimal& primal, const SoftmaxDual& dual, const Mat& own,
                   const Gram& kernel, Tick& tick) const {
    Vec z(classes()), t(classes()), u(classes());
    Sum losses, gaps;
    double size = 0;  // of the terms
    for (Index i = 0; i < n(); ++i) {
      if (!(weights[i] > 0)) continue;
      z = primal.f.row(i);
      t = share.row(i);
      u = dual.u.row(i);
      const double loss = Softmax::value(z.data(), t.data(), classes());
      losses.add(weights[i] * loss);
      size += weights[i] * (loss + null_value() + 2 * z.cwiseAbs().maxCoeff());
      gaps.add(weights[i] * Softmax::fenchel_gap(z.data(), u.data(), classes()));
    }
    const bool apart = primal.beta.size() > 0;
    const double value =
        losses.value() / total_weight + space.value(apart ? primal.beta : own, primal.f);
    double gap = gaps.value() / total_weight, rounding = space.rounding(own);
    if (apart) {
      gap += space.gap(kernel, primal.beta - own, tick);
      rounding = space.rounding(primal.beta.cwiseAbs() + own.cwiseAbs());
    }
    return Certificate(value, gap,
                       rounding + Certificate::rounding_of(value) +
                           4 * KernelSize::rounding * size / total_weight);
  }
};

}  // namespace dualmargin::kernel
