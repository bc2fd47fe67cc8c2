// Multinomial logistic regression in the space H of a kernel k, with soft labels: one function for
// each class, t_i the shares of row i in the classes,
//
//   P(f) = \frac\lambda2 \sum_c |f_c|_H^2
//          + \frac1W \sum_i \omega_i \Big[ \log \sum_c e^{z_{ic}} - \sum_c t_{ic} z_{ic} \Big]
//   D(a) = -\frac1W \sum_i \omega_i \sum_c u_{ic} \log u_{ic} - \frac\lambda2 \sum_c |f_{a,c}|_H^2
//
// with z_{ic} = f_c(x_i), u_i = a_i + t_i on the simplex, f_{a,c} = \sum_i \beta_{ic} k(x_i, \cdot)
// and \beta_{ic} = -\omega_i a_{ic} / (W \lambda). At f = f_a the gap is the losses' part alone,
//
//   P - D = \frac1W \sum_i \omega_i \sum_c u_{ic} \log \frac{u_{ic}}{p_{ic}},
//   p_{ic} = e^{z_{ic}} / \sum_l e^{z_{il}},
//
// a mean of non-negative terms. Intercepts are penalised, the constant of k + 1. Since every a_i
// sums to zero so do the functions, and for two classes f_2 = -f_1 = g / 2: the problem of the
// binary logistic loss in g, at half the lambda.
//
// As in kernel_erm.h a certificate counts only after the scores were computed again from exact
// kernel values.
#pragma once

#include "kernel/expansion.h"
#include "kernel/kernel_size.h"
#include "loss/softmax.h"
#include "run/certificate.h"

namespace dualmargin::kernel {

// u and the scores that belong to it, n x k.
struct SoftmaxSolution {
  Mat u, scores;
  const char* solver = "";
};

struct SoftmaxErm {
  const Gram& x;
  const KernelMatrix& exact;
  const Mat& share;  // t, n x k
  const Vec& weights;
  double lambda;
  double total_weight;

  SoftmaxErm(const Gram& working, const KernelMatrix& exact_, const KernelSize& size,
             const Mat& share_, const Vec& weights_, double lambda_)
      : x(working),
        exact(exact_),
        share(share_),
        weights(weights_),
        lambda(lambda_),
        total_weight(weights_.sum()),
        rounding_(size, working.constant(), exact_.additions()) {}

  Index n() const { return x.n(); }
  Index classes() const { return share.cols(); }
  double null_value() const { return std::log(static_cast<double>(classes())); }

  // The change of beta_ic when u_ic changes by one.
  double beta_of(Index i) const { return -weights[i] / (total_weight * lambda); }
  Mat coefficients(const Mat& u) const {
    return (weights / -(total_weight * lambda)).asDiagonal() * (u - share);
  }
  Mat scores(const Mat& u, const KernelMatrix& kernel, Run& run) const {
    return expansion(kernel, x.constant(), coefficients(u), run);
  }

  // Scores f of f_a that are known.
  Certificate certificate_at(const Mat& u, const Mat& f) const {
    Vec z(classes()), t(classes()), v(classes());
    Sum losses, gap;
    double size = 0;  // of the terms
    for (Index i = 0; i < n(); ++i) {
      if (!(weights[i] > 0)) continue;
      z = f.row(i);
      t = share.row(i);
      v = u.row(i);
      const double loss = Softmax::value(z.data(), t.data(), classes());
      losses.add(weights[i] * loss);
      size += weights[i] * (loss + null_value() + 2 * z.cwiseAbs().maxCoeff());
      gap.add(weights[i] * Softmax::fenchel_gap(z.data(), v.data(), classes()));
    }
    const Mat beta = coefficients(u);
    const double value = losses.value() / total_weight + 0.5 * lambda * beta.cwiseProduct(f).sum();
    double rounding =
        Certificate::rounding_of(value) + 4 * KernelSize::rounding * size / total_weight;
    for (Index c = 0; c < classes(); ++c) rounding += lambda * rounding_.of(beta.col(c));
    return Certificate(value, gap.value() / total_weight, rounding);
  }

  // From the definitions, at exact kernel values.
  Certificate certify_exactly(SoftmaxSolution& s, Run& run) const {
    if (known_u_.rows() != n() || known_u_ != s.u) {
      known_f_ = scores(s.u, exact, run);
      known_u_ = s.u;
    }
    s.scores = known_f_;
    return certificate_at(s.u, s.scores);
  }

 private:
  // Those of the last point asked for are kept: a method certifies the point it returns, and its
  // report asks once more.
  ScoreRounding rounding_;
  mutable Mat known_u_, known_f_;
};

}  // namespace dualmargin::kernel
